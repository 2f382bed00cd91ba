/** Downloads that are cut, resumed, changed meanwhile, wrong, endless or silent. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isAddressAllowed } from '../../../src/platform/network/guard-address.ts';
import { type DownloadOptions, downloadFile } from '../../../src/remote/download-file.ts';
import { openResumeState } from '../../../src/remote/resume-state.ts';
import { createTransport, filePolicy } from '../../../src/api/client/transport.ts';
import { folderOf } from '../../cli/listing-files.ts';
import { quickNetwork } from './run-remote.ts';
import { type AskedRequest, type Reply, startStub } from './stub-server.ts';

const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7 + (n >> 8)) % 256));
const OTHER = Buffer.from(FILE).reverse();

const digestOf = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

interface Sending {
  readonly bytes?: Buffer;
  readonly etag?: string;
  /** Hang up after so many bytes of this answer. */
  readonly cutAt?: number;
  readonly headers?: Record<string, string>;
}

/** As our server answers, ranges included. */
function send(request: AskedRequest, response: ServerResponse, sending: Sending = {}): void {
  const { bytes = FILE, etag = '"one"', cutAt, headers } = sending;
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const isRange = request.headers.range !== undefined && request.headers['if-range'] === etag;
  const body = isRange ? bytes.subarray(from) : bytes;
  response.writeHead(isRange ? 206 : 200, {
    etag,
    'content-length': body.length,
    ...(isRange ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    ...headers,
  });
  if (cutAt === undefined) response.end(body);
  else response.write(body.subarray(0, cutAt), () => response.destroy());
}

async function prepare(reply: Reply, change: Partial<DownloadOptions> = {}) {
  const stub = await startStub(reply);
  const waits: number[] = [];
  const warnings: string[] = [];
  const network = quickNetwork((ms) => waits.push(ms));
  const transport = createTransport(network);
  const folder = await folderOf();
  const progress: number[] = [];
  const options: DownloadOptions = {
    ...{ transport, network, resumeState: openResumeState(folder) },
    policy: filePolicy(new URL(stub.url)),
    signal: new AbortController().signal,
    warn: (message) => warnings.push(message),
    onProgress: (fraction) => progress.push(fraction),
    ...change,
  };
  const fetchIt = () => downloadFile(`${stub.url}/film.mp4`, 'june.mp4', options);
  return { stub, waits, warnings, progress, folder, options, fetchIt };
}

describe('a file', () => {
  it('comes whole, with its digest, and without a key', async () => {
    const { stub, fetchIt, progress } = await prepare((request, response) => send(request, response));
    const file = await fetchIt();
    expect((await readFile(file!.path)).equals(FILE)).toBe(true);
    expect(file).toMatchObject({
      sizeBytes: FILE.length,
      sha256: createHash('sha256').update(FILE).digest('hex'),
    });
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    const [{ headers } = { headers: {} }] = stub.asked;
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
  });

  it('that is cut again and again is resumed where it was cut, under the same ETag', async () => {
    const { stub, fetchIt, warnings } = await prepare((request, response, number) =>
      send(request, response, number < 4 ? { cutAt: 70_000 } : {}),
    );
    expect((await readFile((await fetchIt())!.path)).equals(FILE)).toBe(true);
    const ranges = stub.asked.map(({ headers }) => Number(headers.range?.slice(6, -1) ?? 0));
    expect(ranges).toHaveLength(4);
    expect(ranges[0]).toBe(0);
    for (const [index, from] of ranges.slice(1).entries()) expect(from).toBeGreaterThan(ranges[index]!);
    expect(stub.asked[3]?.headers['if-range']).toBe('"one"');
    // Each try brought something: there was nothing to tell.
    expect(warnings).toEqual([]);
  });

  it('is resumed by the next command, and not requested when it is complete', async () => {
    const { stub, fetchIt, options } = await prepare((request, response) =>
      send(request, response, { cutAt: 100_000 }),
    );
    const gone = new AbortController();
    const interrupted: DownloadOptions = {
      ...options,
      signal: gone.signal,
      network: { ...options.network, delay: async () => gone.abort() },
    };
    await expect(downloadFile(`${stub.url}/film.mp4`, 'june.mp4', interrupted)).rejects.toThrow('abort');
    stub.reply = (request, response) => send(request, response);
    expect((await readFile((await fetchIt())!.path)).equals(FILE)).toBe(true);
    expect(stub.asked.at(-1)?.headers.range).toMatch(/^bytes=[1-9]\d+-$/);
    const count = stub.asked.length;
    await fetchIt();
    expect(stub.asked).toHaveLength(count);
  });

  it.each([
    ['answers with the whole of another', { etag: '"two"', bytes: OTHER }],
    ['answers with a part of another', { etag: '"one"', bytes: OTHER.subarray(0, 200_000) }],
  ])('that changes between two pieces is begun anew: the server %s', async (_, changed) => {
    const { fetchIt } = await prepare((request, response, number) =>
      send(request, response, number === 1 ? { cutAt: 50_000 } : changed),
    );
    expect((await readFile((await fetchIt())!.path)).equals(changed.bytes)).toBe(true);
  });

  it('of a server without ranges is begun anew', async () => {
    const { stub, fetchIt } = await prepare((request, response, number) => {
      delete request.headers.range;
      send(request, response, { etag: 'W/"weak"', ...(number === 1 ? { cutAt: 50_000 } : {}) });
    });
    expect((await readFile((await fetchIt())!.path)).equals(FILE)).toBe(true);
    expect(stub.asked.map(({ headers }) => headers['if-range'])).toEqual([undefined, undefined]);
  });

  it('whose bytes do not match its digest is downloaded again, and refused when they stay wrong', async () => {
    const headers = { 'repr-digest': digestOf(FILE) };
    const once = await prepare((request, response, number) =>
      send(request, response, { headers, bytes: number === 1 ? OTHER : FILE }),
    );
    expect((await readFile((await once.fetchIt())!.path)).equals(FILE)).toBe(true);
    const always = await prepare((request, response) => send(request, response, { headers, bytes: OTHER }));
    await expect(always.fetchIt()).rejects.toMatchObject({ code: 'verification_failed' });
    expect(always.stub.asked).toHaveLength(4);
    // No wrong bytes are left for the next command.
    await expect(stat(always.options.resumeState.partPath('june.mp4'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });

  it('that was damaged on this disk between two commands is noticed by its digest', async () => {
    const headers = { 'repr-digest': digestOf(FILE) };
    const { fetchIt, options, stub } = await prepare((request, response) =>
      send(request, response, { headers }),
    );
    const { path } = (await fetchIt())!;
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, OTHER);
    expect((await readFile((await fetchIt())!.path)).equals(FILE)).toBe(true);
    expect([stub.asked.length, await options.resumeState.readPart('june.mp4')]).toMatchObject([
      2,
      { etag: '"one"', sizeBytes: FILE.length },
    ]);
  });
});

describe('a hostile or broken server', () => {
  it.each<[string, Reply]>([
    ['does not say how long a file is', (_, response) => response.writeHead(200).end('x')],
    ['says it is empty', (_, response) => response.writeHead(200, { 'content-length': '0' }).end()],
    [
      'says it is larger than any film',
      (_, response) => response.writeHead(200, { 'content-length': '999999999999' }).write('x'),
    ],
    [
      'compresses it',
      (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '5' }).end('12345'),
    ],
    [
      'moves it for ever',
      (_, response) => response.writeHead(301, { location: 'http://127.0.0.1:1/x' }).end(),
    ],
    ['asks for a password', (_, response) => response.writeHead(401).end()],
  ])('that %s is refused', async (_, reply) => {
    const { fetchIt, stub } = await prepare(reply);
    await expect(fetchIt()).rejects.toMatchObject({ code: 'server_answer_invalid' });
    expect(stub.asked).toHaveLength(1);
  });

  it('that sends no end of bytes is cut off at the length it named', async () => {
    const { fetchIt, options } = await prepare((_, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\netag: "x"\r\n\r\n');
      response.socket?.end(Buffer.alloc(1 << 20, 65));
    });
    const file = await fetchIt().catch(() => null);
    const { size } = await stat(options.resumeState.partPath('june.mp4')).catch(() => ({ size: 0 }));
    expect(Math.max(size, file?.sizeBytes ?? 0)).toBeLessThanOrEqual(10);
  });

  it('that hangs up before the first byte is given up after eight tries, ever further apart', async () => {
    const { fetchIt, stub, waits, warnings } = await prepare((_, response) => response.destroy());
    await expect(fetchIt()).rejects.toMatchObject({ code: 'server_unreachable', exitCode: 3 });
    expect(stub.asked).toHaveLength(8);
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 7_500, 7_500, 7_500]);
    expect(warnings).toHaveLength(1);
  });

  it('that sends a byte and hangs up, again and again, is given up too', async () => {
    const { fetchIt, stub } = await prepare((request, response) => send(request, response, { cutAt: 1 }));
    await expect(fetchIt()).rejects.toMatchObject({ code: 'server_unreachable' });
    expect(stub.asked.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['falls silent is disconnected, and asked again', 30_000],
    ['sends a byte now and then has half an hour for a connection, and continues with the next', 30 * 60_000],
  ])('that %s', async (_, limitMs) => {
    let isFirst = true;
    const { options, stub } = await prepare((request, response, number) => {
      if (number > 1) return send(request, response);
      response
        .writeHead(200, { etag: '"one"', 'content-length': FILE.length })
        .write(FILE.subarray(0, 1_000));
    });
    // The time of this limit ends at once after the first piece; every other timer never.
    let endTime: () => void = () => undefined;
    const network = {
      ...options.network,
      setTimer: (action: () => void, delayMs: number) => {
        if (delayMs === limitMs) endTime = action;
        return () => undefined;
      },
    };
    const file = await downloadFile(`${stub.url}/film.mp4`, 'june.mp4', {
      ...options,
      network,
      transport: createTransport(network),
      onProgress: () => {
        if (isFirst) setImmediate(endTime);
        isFirst = false;
      },
    });
    expect((await readFile(file!.path)).equals(FILE)).toBe(true);
    expect(stub.asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=1000-']);
  });

  it('that is busy is asked again when it says, but not forever', async () => {
    const { fetchIt, waits } = await prepare((request, response, number) => {
      if (number > 2) return send(request, response);
      response.writeHead(503, { 'retry-after': number === 1 ? '7' : '99999999' }).end();
    });
    await fetchIt();
    expect(waits).toEqual([7_000, 60_000]);
  });

  it('that sends it to a bucket is followed once, also when it is resumed', async () => {
    const { stub, fetchIt } = await prepare((request, response, number) => {
      if (request.path === '/film.mp4')
        return void response.writeHead(302, { location: `/bucket/film?signed=${number}` }).end();
      const sha256 = createHash('sha256').update(FILE).digest('hex');
      const cut = request.path.endsWith('=1') ? { cutAt: 1_000 } : {};
      send(request, response, { ...cut, headers: { 'x-amz-meta-sha256': sha256 } });
    });
    const file = await fetchIt();
    expect((await readFile(file!.path)).equals(FILE)).toBe(true);
    expect(stub.asked.map(({ path, headers }) => [path, headers.range])).toEqual([
      ['/film.mp4', undefined],
      ['/bucket/film?signed=1', undefined],
      ['/film.mp4', 'bytes=1000-'],
      ['/bucket/film?signed=2', 'bytes=1000-'],
    ]);
  });

  it('that sends it in a circle, or to no address, is refused', async () => {
    for (const location of [
      '/film.mp4?again=1',
      'file:///etc/passwd',
      'http://user:key@127.0.0.1/',
      'http://',
    ]) {
      const { stub, fetchIt } = await prepare((_, response) => response.writeHead(302, { location }).end());
      const error = await fetchIt().catch((failure: unknown) => failure);
      expect(error).toMatchObject({
        code: 'server_answer_invalid',
        hint: expect.stringContaining('--proxy-files'),
      });
      // It opens the file for everyone.
      expect((error as Error).message).not.toMatch(/again=|user:key/);
      expect(stub.asked.length).toBeLessThanOrEqual(2);
    }
  });

  it('that no longer has the file is answered with nothing', async () => {
    const { fetchIt } = await prepare((_, response) => response.writeHead(404).end());
    expect(await fetchIt()).toBeNull();
  });
});

describe('an address that a server names', () => {
  const trustOf = (server: string) => (host: string, address: string) =>
    isAddressAllowed(host, address, untrusted(server));
  const untrusted = (server: string) => filePolicy(new URL(server));

  it('is trusted on the public internet and at the server itself, not elsewhere in the network of the user', () => {
    const isTrusted = trustOf('https://videos.example.com');
    expect(isTrusted('cdn.example', '93.184.215.14')).toBe(true);
    expect(isTrusted('videos.example.com', '10.1.2.3')).toBe(true);
    for (const address of ['10.0.0.5', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.5'])
      expect([address, isTrusted('nas.example', address)]).toEqual([address, false]);
    expect(isTrusted('169.254.169.254', '169.254.169.254')).toBe(false);
  });

  it('of a server in a private network can be anywhere in it', () => {
    for (const server of [
      'http://localhost:9000',
      'http://127.0.0.1:8080',
      'http://192.168.1.7',
      'http://[::1]:80',
    ])
      expect([server, trustOf(server)('10.0.0.5', '10.0.0.5')]).toEqual([server, true]);
    for (const address of ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '168.63.129.16'])
      expect([address, trustOf('http://localhost:9000')('localhost', address)]).toEqual([address, false]);
  });

  it('is checked as it is looked up, and no connection is made', async () => {
    const { options, stub } = await prepare((request, response) => send(request, response));
    const transport = createTransport({
      ...options.network,
      lookup: ((_name: string, _options: unknown, done: (error: null, found: unknown) => void) =>
        done(null, [{ address: '127.0.0.1', family: 4 }])) as never,
    });
    const port = new URL(stub.url).port;
    const policy = untrusted('https://videos.example.com');
    for (const host of ['nas.example', '127.0.0.1', '[::ffff:127.0.0.1]'])
      await expect(
        downloadFile(`http://${host}:${port}/film.mp4`, 'june.mp4', { ...options, transport, policy }),
      ).rejects.toMatchObject({ code: 'server_answer_invalid' });
    expect(stub.asked).toEqual([]);
  });
});
