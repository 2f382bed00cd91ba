/**
 * Signs requests to a bucket, and reads its lists. Only this file uses the S3 client.
 *
 * The client signs URLs only: requests go through the HTTP client of this program, which has limits of time, sends
 * files without reading them into memory, and never follows a redirect with a signature.
 */
import { S3Client } from '@bradenmacdonald/s3-lite-client';
import type { StoragePlace } from './storage-place.ts';

export type BucketMethod = 'GET' | 'HEAD' | 'PUT' | 'DELETE';

export interface SignedRequest {
  readonly method: BucketMethod;
  /** Whole, with the prefix. Empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that the request must have: those whose names start with `x-amz-`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly expirySec: number;
}

export interface ListedObject {
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly storedAtMs: number;
}

export interface SigningClient {
  sign(request: SignedRequest): Promise<URL>;
  /** The objects whose keys have this prefix, in the order of their keys, page by page. */
  list(prefix: string): AsyncIterable<ListedObject>;
}

/**
 * @param now - Time of the signatures.
 * @param getPage - Gets the text of the page of a list at a signed URL.
 */
export function createSigningClient(
  { bucket, endpoint, region, hasBucketInPath, credentials }: StoragePlace,
  now: () => Date,
  getPage: (url: URL) => Promise<string>,
): SigningClient {
  const client = new Client(
    { endPoint: endpoint, region, bucket, pathStyle: hasBucketInPath, ...definedOf(credentials) },
    async (query) =>
      new Response(await getPage(await sign({ method: 'GET', key: '', query, expirySec: LIST_EXPIRY_SEC }))),
  );
  const sign = async ({ method, key, query = {}, headers = {}, expirySec }: SignedRequest): Promise<URL> =>
    new URL(
      await client.getPresignedUrl(method, key, {
        parameters: { ...query },
        extraHeaders: { ...headers },
        expirySeconds: expirySec,
        requestDate: now(),
      }),
    );
  return {
    sign,
    async *list(prefix) {
      for await (const { key, size, lastModified } of client.listObjects({ prefix }))
        yield { key, sizeBytes: size, storedAtMs: lastModified.getTime() };
    },
  };
}

const LIST_EXPIRY_SEC = 900;

type Credentials = StoragePlace['credentials'];

function definedOf({ accessKey, secretKey, sessionToken }: Credentials) {
  return { accessKey, secretKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

type GetList = (query: Readonly<Record<string, string>>) => Promise<Response>;

/** The client without its own requests. */
class Client extends S3Client {
  readonly #getList: GetList;

  constructor(options: ConstructorParameters<typeof S3Client>[0], getList: GetList) {
    super(options);
    this.#getList = getList;
  }

  /** Called for lists only. */
  override makeRequest({ query }: Parameters<S3Client['makeRequest']>[0]): Promise<Response> {
    return this.#getList(typeof query === 'object' ? query : {});
  }

  /** A list is a request for the bucket itself, whose key is empty. */
  protected override checkNames(_key: string, options: undefined | { bucketName?: string }): string {
    return this.getBucketName(options);
  }
}
