/** Downloads that are cut, wrong, endless or silent. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DownloadOptions, downloadFile } from '../../../src/api/client/download-file.ts';
import { openResumeState } from '../../../src/api/client/resume-state.ts';
import { isAddressAllowed } from '../../../src/platform/network/guard-address.ts';
import { createTransport, filePolicy } from '../../../src/platform/network/transport.ts';
import { folderOf } from '../../cli/listing-files.ts';
import { quickNetwork } from './run-remote.ts';
import { type Reply, startStub } from './stub-server.ts';

const FILE = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7 + (n >> 8)) % 256));
const OTHER = Buffer.from(FILE).reverse();
const SHA256 = createHash('sha256').update(FILE);
const DIGEST = { 'repr-digest': `sha-256=:${SHA256.copy().digest('base64')}:` };

interface Sending {
  readonly bytes?: Buffer;
  /** Hang up after so many bytes of this answer. */
  readonly cutAt?: number | undefined;
  readonly headers?: Record<string, string>;
}

function send(response: ServerResponse, { bytes = FILE, cutAt, headers }: Sending = {}): void {
  response.writeHead(200, { 'content-length': bytes.length, ...headers });
  if (cutAt === undefined) response.end(bytes);
  else response.write(bytes.subarray(0, cutAt), () => response.destroy());
}

async function prepare(reply: Reply, change: Partial<DownloadOptions> = {}) {
  const stub = await startStub(reply);
  const waits: number[] = [];
  const warnings: string[] = [];
  const network = quickNetwork((ms) => waits.push(ms));
  const folder = await folderOf();
  const progress: number[] = [];
  const options: DownloadOptions = {
    transport: createTransport(network),
    network,
    resumeState: openResumeState(folder),
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
  it('comes whole, with its digest, and without a key; the next command does not ask for it again', async () => {
    const { stub, fetchIt, progress } = await prepare((_, response) => send(response, { headers: DIGEST }));
    const file = await fetchIt();
    expect((await readFile(file!.path)).equals(FILE)).toBe(true);
    expect(file).toMatchObject({ sizeBytes: FILE.length, sha256: SHA256.copy().digest('hex') });
    expect(progress.at(-1)).toBe(1);
    const [{ headers } = { headers: {} }] = stub.asked;
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect([await fetchIt(), stub.asked.length]).toEqual([file, 1]);
  });

  it('that is cut is asked for again, and its progress does not fall', async () => {
    const { stub, fetchIt, warnings, progress } = await prepare((_, response, number) =>
      send(response, { cutAt: number < 4 ? 200_000 / number : undefined }),
    );
    expect((await readFile((await fetchIt())!.path)).equals(FILE)).toBe(true);
    expect([stub.asked.length, warnings.length]).toEqual([4, 1]);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it('of an interrupted command is begun anew by the next', async () => {
    const { stub, fetchIt, options } = await prepare((_, response) => send(response, { cutAt: 100_000 }));
    const gone = new AbortController();
    const interrupted: DownloadOptions = {
      ...options,
      signal: gone.signal,
      network: { ...options.network, delay: async () => gone.abort() },
    };
    await expect(downloadFile(`${stub.url}/film.mp4`, 'june.mp4', interrupted)).rejects.toThrow('abort');
    stub.reply = (_, response) => send(response);
    expect((await readFile((await fetchIt())!.path)).equals(FILE)).toBe(true);
  });

  it('whose bytes do not match its digest is downloaded again, and refused when they stay wrong', async () => {
    const once = await prepare((_, response, number) =>
      send(response, { headers: DIGEST, bytes: number === 1 ? OTHER : FILE }),
    );
    expect((await readFile((await once.fetchIt())!.path)).equals(FILE)).toBe(true);
    const always = await prepare((_, response) => send(response, { headers: DIGEST, bytes: OTHER }));
    await expect(always.fetchIt()).rejects.toMatchObject({ code: 'verification_failed' });
    expect(always.stub.asked.length).toBeLessThanOrEqual(6);
    // No wrong bytes are taken for the file by the next command.
    const names = await readdir(path.join(always.folder, '.remote'));
    expect(names.filter((name) => !name.endsWith('.part'))).toEqual([]);
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
    const { fetchIt, folder } = await prepare((_, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n');
      response.socket?.end(Buffer.alloc(1 << 20, 65));
    });
    await fetchIt().catch(() => null);
    for (const name of await readdir(path.join(folder, '.remote')))
      expect((await readFile(path.join(folder, '.remote', name))).length).toBeLessThanOrEqual(10);
  });

  it.each<[string, Reply]>([
    ['hangs up before the first byte', (_, response) => response.destroy()],
    ['sends a byte and hangs up', (_, response) => send(response, { cutAt: 1 })],
  ])('that %s is given up after a minute, ever further apart', async (_, reply) => {
    const { fetchIt, waits, warnings } = await prepare(reply);
    await expect(fetchIt()).rejects.toMatchObject({ code: 'server_unreachable', exitCode: 3 });
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, ...Array(6).fill(7_500)]);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['falls silent', 30_000],
    ['sends a byte now and then', 30 * 60_000],
  ])('that %s is disconnected, and asked again', async (_, limitMs) => {
    let isFirst = true;
    const { options, stub } = await prepare((_, response, number) => {
      if (number > 1) return send(response);
      response.writeHead(200, { 'content-length': FILE.length }).write(FILE.subarray(0, 1_000));
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
    expect(stub.asked).toHaveLength(2);
  });

  it('that is busy is asked again when it says, but not forever', async () => {
    const busyFor = (seconds: string) =>
      prepare((_, response, number) =>
        number > 1 ? send(response) : response.writeHead(503, { 'retry-after': seconds }).end(),
      );
    const soon = await busyFor('7');
    await soon.fetchIt();
    expect(soon.waits).toEqual([7_000]);
    const never = await busyFor('99999999');
    await expect(never.fetchIt()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that sends it to a bucket is followed once, and its digest counts', async () => {
    const { stub, fetchIt } = await prepare((request, response, number) => {
      if (request.path === '/film.mp4')
        return void response.writeHead(302, { location: `/bucket/film?signed=${number}` }).end();
      const headers = { 'x-amz-meta-sha256': SHA256.copy().digest('hex') };
      send(response, { headers, bytes: request.path.endsWith('=1') ? OTHER : FILE });
    });
    const file = await fetchIt();
    expect((await readFile(file!.path)).equals(FILE)).toBe(true);
    expect(stub.asked.map(({ path: asked }) => asked)).toEqual([
      ...['/film.mp4', '/bucket/film?signed=1', '/film.mp4', '/bucket/film?signed=2'],
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
    const { options, stub } = await prepare((_, response) => send(response));
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
