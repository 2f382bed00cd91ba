/**
 * Where the bucket is and how requests to it are signed, from the setting and the environment variables of every S3
 * tool. Pure.
 */
import { ListingVideoError } from '../../platform/errors.ts';

export interface StoragePlace {
  readonly bucket: string;
  /** Before every key: empty, or names that each end with a slash. */
  readonly prefix: string;
  /** `s3://bucket/prefix`, for messages. */
  readonly name: string;
  /** Without a slash at the end. */
  readonly endpoint: string;
  readonly region: string;
  /** Where signed URLs lead. */
  readonly origin: string;
  /** The name of the bucket is part of the path, not of the host. */
  readonly hasBucketInPath: boolean;
  readonly credentials: StorageCredentials;
}

/** Never shown: not in logs, errors, reports or `doctor`. */
export interface StorageCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_REGION = 'us-east-1';

/**
 * @param url - As the setting `storage` has it.
 * @throws {@link ListingVideoError} `setting_invalid` without keys, or for an endpoint that is no URL.
 */
export function readStoragePlace(url: string, env: Environment): StoragePlace {
  const [bucket = '', ...names] = url.replace(/^s3:\/\//, '').split('/');
  const region = firstOf(env, 'AWS_REGION', 'AWS_DEFAULT_REGION') ?? DEFAULT_REGION;
  const endpoint = readEndpoint(env);
  // A certificate of Amazon covers one name before its own, so a bucket with dots must be in the path.
  const hasBucketInPath = endpoint !== null || bucket.includes('.');
  const base = endpoint ?? `https://s3.${region}.amazonaws.com`;
  return {
    bucket,
    prefix: names.map((name) => `${name}/`).join(''),
    name: url,
    endpoint: base,
    origin: hasBucketInPath ? new URL(base).origin : base.replace('//', `//${bucket}.`),
    region,
    hasBucketInPath,
    credentials: readCredentials(env),
  };
}

function readCredentials(env: Environment): StorageCredentials {
  const accessKey = firstOf(env, 'AWS_ACCESS_KEY_ID');
  const secretKey = firstOf(env, 'AWS_SECRET_ACCESS_KEY');
  if (accessKey !== undefined && secretKey !== undefined)
    return { accessKey, secretKey, sessionToken: firstOf(env, 'AWS_SESSION_TOKEN') };
  const missing = accessKey === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY';
  throw new ListingVideoError('setting_invalid', `--storage needs the environment variable ${missing}`, {
    hint: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; `listing-video help storage` names the permissions',
  });
}

function readEndpoint(env: Environment): string | null {
  const name = env.AWS_ENDPOINT_URL_S3 ? 'AWS_ENDPOINT_URL_S3' : 'AWS_ENDPOINT_URL';
  const given = firstOf(env, name);
  if (given === undefined) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (isPlain && url.search + url.hash === '') return url.href.replace(/\/+$/, '');
  throw new ListingVideoError(
    'setting_invalid',
    `${name}: expected an address such as https://s3.example.com`,
    {
      hint: 'give it neither user, password, query nor fragment: keys belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    },
  );
}

function firstOf(env: Environment, ...names: readonly string[]): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value);
}
