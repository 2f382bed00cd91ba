/** A PostgreSQL server of its own: own folder, own port. For tests and benchmarks. */
import { execFile } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { POSTGRES_TEMPLATE } from '../../leftovers/find-leftovers.ts';
import { letThrough } from '../../let-through.ts';

const run = promisify(execFile);

/** Where Debian has the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';

/** Folder of `initdb` and `pg_ctl` of the latest version; null if there is none. */
export function findPrograms(): string | null {
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

/** A server whose data are in `folder`, which must be empty. */
export class LocalServer {
  readonly #programs: string | null;
  readonly #data: string;
  readonly #settings: Readonly<Record<string, string>>;
  #port = 0;
  #isRunning = false;
  /** PostgreSQL refuses to run as root. */
  #user: { uid?: number; gid?: number } = {};

  /** @param settings - Of postgresql.conf. By default nothing is flushed to disk. */
  constructor(folder: string, settings: Readonly<Record<string, string>> = { fsync: 'off' }) {
    this.#programs = findPrograms();
    this.#data = path.join(folder, 'data');
    this.#settings = settings;
  }

  /** Address of the database `postgres`, once the server runs. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  /** Makes the data and starts the server. @throws Error without PostgreSQL. */
  async make(): Promise<void> {
    if (this.#programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
    const folder = path.dirname(this.#data);
    this.#port = await findFreePort();
    if (process.getuid?.() === 0) {
      this.#user = { uid: await idOf('-u'), gid: await idOf('-g') };
      this.#own(folder);
      for (const above of [path.dirname(folder), process.env.TESTS_FOLDER]) if (above) letThrough(above);
    }
    const { TESTS_FOLDER: root } = process.env;
    if (root === undefined) await this.#initialize(this.#data);
    else await run('cp', ['-a', await this.#findTemplate(root), this.#data], this.#user);
    await this.start();
  }

  /** The data that all servers of a run of the tests begin with: a second to make, and milliseconds to copy. */
  async #findTemplate(root: string): Promise<string> {
    const template = path.join(root, POSTGRES_TEMPLATE);
    if (!existsSync(template)) {
      const folder = mkdtempSync(`${template}-`);
      this.#own(folder);
      await this.#initialize(path.join(folder, 'data'));
      try {
        renameSync(folder, template);
      } catch {
        // Another worker of the run was first.
        rmSync(folder, { recursive: true });
      }
    }
    return path.join(template, 'data');
  }

  #own(folder: string): void {
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  }

  #initialize(data: string): Promise<void> {
    return this.#call('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '-N');
  }

  /** Starts again after `stop`, on the same port with the same data. */
  async start(): Promise<void> {
    const settings = {
      port: this.#port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: '32MB',
      ...this.#settings,
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
    const log = path.join(path.dirname(this.#data), 'log');
    await this.#call('pg_ctl', 'start', '-w', '-D', this.#data, '-l', log, '-o', options.join(' '));
    this.#isRunning = true;
  }

  /** Ends all connections at once, as a crash does. */
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
