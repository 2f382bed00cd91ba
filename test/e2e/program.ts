/** Runs the real program as its own process, in a home and an output folder of its own. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Cached, copyCache, LAUNCHER, SMALL_LISTING } from './small-listing.ts';

export { LAUNCHER, SMALL_LISTING };

export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly finished: Promise<Finished>;
  /** Resolves once stderr so far matches; rejects when the program ends without. */
  sees(pattern: RegExp): Promise<void>;
  /** The first match in stdout, once there is one; rejects when the program ends without. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
}

/** A folder that goes when the test file ends. A file whose tests are all skipped ends without, so it makes none. */
export class Desk {
  #root: string | undefined;
  readonly #cached: Cached | undefined;

  /** @param cached - What each home has of the small listing when its first program starts. */
  constructor(cached?: Cached) {
    this.#cached = cached;
  }

  get root(): string {
    this.#root ??= mkdtempSync(path.join(tmpdir(), 'listing-video-e2e-'));
    return this.#root;
  }

  get out(): string {
    return path.join(this.root, 'videos');
  }

  get home(): string {
    return path.join(this.root, 'home');
  }

  close(): void {
    if (this.#root !== undefined) rmSync(this.#root, { recursive: true, force: true });
  }

  /** Writes a listing made from the small fixture; its photos keep their place on disk. */
  async writeListing(name: string, change: (listing: SmallListing) => unknown): Promise<string> {
    const listing = JSON.parse(await readFile(SMALL_LISTING, 'utf8')) as SmallListing;
    const folder = path.dirname(SMALL_LISTING);
    for (const asset of listing.assets) asset.url = path.join(folder, asset.url);
    const file = path.join(this.root, name);
    await writeFile(file, JSON.stringify(change(listing) ?? listing));
    return file;
  }

  start(args: readonly string[], options: { env?: Record<string, string>; home?: string } = {}): Running {
    const home = options.home ?? this.home;
    if (this.#cached !== undefined && !existsSync(home)) copyCache(home, this.#cached);
    const child = spawn(process.execPath, [LAUNCHER, ...args, '--home', home], {
      env: { ...process.env, CI: '1', NO_COLOR: '1', LISTING_VIDEO_OUT: this.out, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    const waiting = new Set<() => void>();
    const look = (): void => {
      for (const check of waiting) check();
    };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      look();
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
      look();
    });
    const finished = new Promise<Finished>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
    });
    const until = <T>(find: () => T | null, what: RegExp): Promise<T> =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = find();
          if (found === null) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
        finished.then(() => reject(new Error(`ended without ${what}:\n${stderr}`)), reject);
      });
    return {
      pid: child.pid ?? 0,
      finished,
      kill: (signal) => child.kill(signal),
      sees: async (pattern) => void (await until(() => pattern.exec(stderr), pattern)),
      says: (pattern) => until(() => pattern.exec(stdout), pattern),
    };
  }

  run(
    args: readonly string[],
    options: { env?: Record<string, string>; home?: string } = {},
  ): Promise<Finished> {
    return this.start(args, options).finished;
  }

  /** Names in a listing's folder, hidden ones too; empty when there is no folder. */
  async names(listingId = 'small'): Promise<string[]> {
    return (await readdir(path.join(this.out, listingId)).catch(() => [])).sort();
  }

  /** What a task left in the home's working folder: nothing, once it has ended. */
  async workFolders(home = this.home): Promise<string[]> {
    return readdir(path.join(home, 'work')).catch(() => []);
  }

  async report(listingId = 'small') {
    return JSON.parse(await readFile(path.join(this.out, listingId, 'report.json'), 'utf8'));
  }

  digest(name: string, listingId = 'small'): string {
    return createHash('sha256')
      .update(readFileSync(path.join(this.out, listingId, name)))
      .digest('hex');
  }
}

export interface SmallListing {
  id: string;
  assets: { url: string }[];
  agents: { id: string; phones?: { number: string }[]; video_options?: Record<string, unknown> }[];
}
