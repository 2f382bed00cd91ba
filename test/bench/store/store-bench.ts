/**
 * The task store against its bars, with many tasks present. By itself:
 * `npx tsx test/bench/store/store-bench.ts [--tasks 20000]`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { type BenchRow, formatRows } from '../bench-row.ts';
import { fillStore } from './fill-store.ts';

const PROBE = fileURLToPath(new URL('./store-probe.ts', import.meta.url));
const ROUNDS = 7;
const QUERIES: Readonly<Record<string, object>> = {
  'no filter': {},
  SUCCEEDED: { state: 'SUCCEEDED' },
  'FAILED, one in 2,000': { state: 'FAILED' },
  'PENDING, a few': { state: 'PENDING' },
  'RUNNING, two': { state: 'RUNNING' },
  'an organization': { organizationId: 'default' },
  'an organization with 3 tasks': { organizationId: 'rare' },
  'an organization with none': { organizationId: 'nobody' },
  'FAILED of an organization with none': { organizationId: 'rare', state: 'FAILED' },
};

interface Probed {
  readonly ms: number;
  readonly p50: number;
  readonly perSec: number;
  readonly importMs: number;
  readonly peakMb: number;
}

/** Fills a store in a temporary folder and measures it, each figure in processes of its own. */
export async function benchStore({ tasks }: { readonly tasks: number }): Promise<readonly BenchRow[]> {
  const home = await mkdtemp(join(tmpdir(), 'listing-video-bench-store-'));
  try {
    await fillStore(home, tasks, Date.now());
    const probed: Probed[] = [];
    const probe = async (what: string, argument: unknown) => {
      const args = ['--import', 'tsx', PROBE, home, what, JSON.stringify(argument)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const result: Probed = JSON.parse(stdout);
      probed.push(result);
      return result;
    };
    const rows: BenchRow[] = [];
    const most = (what: string, measured: number, bar: number, unit: string) =>
      rows.push({ what, measured: round(measured), bar: `<= ${bar} ${unit}`, isMet: measured <= bar });
    for (const [name, query] of Object.entries(QUERIES)) {
      const taken: number[] = [];
      for (let n = 0; n < ROUNDS; n++) taken.push((await probe('list', query)).ms);
      most(`newest 20, cold process: ${name}`, median(taken), 20, 'ms');
    }
    most('create, p50', (await probe('create', 300)).p50, 6, 'ms');
    const { perSec } = await probe('createMany', 3_000);
    rows.push({
      what: 'create, 32 in flight',
      measured: round(perSec),
      bar: '>= 100 /s',
      isMet: perSec >= 100,
    });
    most('claim next, cold process', (await probe('claim', {})).ms, 100, 'ms');
    most('memory of any of these processes', Math.max(...probed.map(({ peakMb }) => peakMb)), 150, 'MB');
    return rows;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { tasks: { type: 'string', default: '20000' } } });
  const rows = await benchStore({ tasks: Number(values.tasks) });
  console.log(formatRows(rows));
  console.log(JSON.stringify(rows));
  process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1;
}
