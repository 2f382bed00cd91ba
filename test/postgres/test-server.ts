/** A PostgreSQL server for one test file: own folder, own port, gone in the end. */
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe } from 'vitest';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const run = promisify(execFile);

/** Where Debian has the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';

export interface TestServer {
  /** Address of the database `postgres`. Set once the tests of the file run. */
  readonly url: string;
  /** Starts again after `stop`, on the same port with the same data. */
  start(): Promise<void>;
  /** Ends all connections at once, as a crash does. */
  stop(): Promise<void>;
}

/** Describes tests with a server. Without PostgreSQL they are skipped, and the run says so; in CI they fail. */
export function describeWithPostgres(name: string, define: (server: TestServer) => void): void {
  const folder = findPrograms();
  if (folder === null && process.env.CI !== 'true') {
    process.stderr.write(`skipped: ${name} (needs PostgreSQL: \`apt-get install postgresql\` on Debian)\n`);
    describe.skip(name, () => define({ url: '', start: async () => {}, stop: async () => {} }));
    return;
  }
  describe(name, () => {
    const server = new LocalServer(folder);
    beforeAll(() => server.make());
    afterAll(() => server.stop());
    define(server);
  });
}

/** Folder of `initdb` and `pg_ctl` of the latest version; null if there is none. */
function findPrograms(): string | null {
  const onPath = (process.env.PATH ?? '').split(path.delimiter);
  const versions = namesIn(DEBIAN).sort((a, b) => Number(b) - Number(a));
  const folders = [...versions.map((version) => path.join(DEBIAN, version, 'bin')), ...onPath];
  return folders.find((folder) => isExecutable(path.join(folder, 'initdb'))) ?? null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

class LocalServer implements TestServer {
  readonly #programs: string | null;
  #data = '';
  #port = 0;
  #isRunning = false;
  /** PostgreSQL refuses to run as root. */
  #user: { uid?: number; gid?: number } = {};

  constructor(programs: string | null) {
    this.#programs = programs;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  async make(): Promise<void> {
    if (this.#programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
    const folder = temporaryFolder();
    this.#data = path.join(folder, 'data');
    this.#port = await findFreePort();
    if (process.getuid?.() === 0) {
      this.#user = { uid: await idOf('-u'), gid: await idOf('-g') };
      chownSync(folder, this.#user.uid!, this.#user.gid!);
      // Lets that user through to its folder. The names in between cannot be listed.
      for (const above of [path.dirname(folder), process.env.TESTS_FOLDER])
        if (above) chmodSync(above, 0o711);
    }
    await this.#call('initdb', '-D', this.#data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-N');
    await this.start();
  }

  async start(): Promise<void> {
    const settings = {
      port: this.#port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      fsync: 'off',
      shared_buffers: '32MB',
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
    const log = path.join(path.dirname(this.#data), 'log');
    await this.#call('pg_ctl', 'start', '-w', '-D', this.#data, '-l', log, '-o', options.join(' '));
    this.#isRunning = true;
  }

  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    await this.#call('pg_ctl', 'stop', '-w', '-D', this.#data, '-m', 'immediate');
  }

  async #call(program: string, ...args: string[]): Promise<void> {
    const options = { ...this.#user, cwd: path.dirname(this.#data) };
    await run(path.join(this.#programs ?? '', program), args, options);
  }
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [flag, 'postgres'])).stdout);
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
