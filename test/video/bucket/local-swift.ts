/**
 * An S3 server of its own that checks signatures: OpenStack Swift with own folder and own port. For tests and
 * benchmarks.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSigningClient } from '../../../src/video/bucket/signing-client.ts';
import { readStoragePlace } from '../../../src/video/bucket/storage-place.ts';
import { letThrough } from '../../let-through.ts';

const SERVER = fileURLToPath(new URL('swift-server.py', import.meta.url));
/** Where Debian has the programs of `swift-proxy`, `swift-account`, `swift-container` and `swift-object`. */
const PROGRAMS = ['proxy', 'account', 'container', 'object'].map((kind) => `/usr/bin/swift-${kind}-server`);
/** Swift reads its salts from here. The files of the package will do. */
const SALTS = '/etc/swift/swift.conf';
export const SWIFT_PACKAGES = 'swift-proxy swift-account swift-container swift-object';

/** True if the machine has Swift. */
export function hasSwift(): boolean {
  return [...PROGRAMS, SALTS].every((file) => existsSync(file));
}

/** A server whose data are in `folder`, which must be empty. */
export class LocalSwift {
  readonly accessKey = 'test:tester';
  readonly secretKey = 's3cr3t/+=key';
  readonly #folder: string;
  #port = 0;
  #process: ChildProcess | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Address of the server, once it runs. */
  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The variables that `--storage` reads. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL_S3: this.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: this.accessKey,
      AWS_SECRET_ACCESS_KEY: this.secretKey,
    };
  }

  /** Starts, or starts again on the same port with the same data. @throws Error with what the server wrote. */
  async start(): Promise<void> {
    const server = spawn(
      '/usr/bin/python3',
      ['-W', 'ignore', SERVER, this.#folder, String(this.#port), this.accessKey, this.secretKey],
      {
        ...this.#userOf(),
        cwd: '/',
        env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1' },
        stdio: 'pipe',
      },
    );
    this.#process = server;
    let problem = '';
    server.stderr.on('data', (text) => {
      problem += text;
    });
    const port = once(server.stdout, 'data').then(([text]) => Number(String(text)));
    const exit = once(server, 'exit').then(() => {
      throw new Error(`Swift has not started: ${problem}`);
    });
    exit.catch(() => undefined);
    this.#port = await Promise.race([port, exit]);
  }

  /** @param url - As the setting `storage` has it. */
  async makeBucket(url: string): Promise<void> {
    const place = readStoragePlace(url, this.env);
    const signing = createSigningClient(
      place,
      () => new Date(),
      async () => '',
    );
    const signed = await signing.sign({ method: 'PUT', key: '', expirySec: 60 });
    const answer = await fetch(signed, { method: 'PUT' });
    if (!answer.ok) throw new Error(`the bucket was not made: ${await answer.text()}`);
  }

  /** Ends all connections at once. */
  async stop(): Promise<void> {
    const server = this.#process;
    this.#process = null;
    if (server === null || server.exitCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  /** As root the server runs as `nobody`, which gets the folder. */
  #userOf(): { uid?: number; gid?: number } {
    if (process.getuid?.() !== 0) return {};
    const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    const user = { uid: idOf('-u'), gid: idOf('-g') };
    chownSync(this.#folder, user.uid, user.gid);
    for (const above of [path.dirname(this.#folder), process.env.TESTS_FOLDER]) if (above) letThrough(above);
    return user;
  }
}
