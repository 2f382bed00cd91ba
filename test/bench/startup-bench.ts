/** What `--help` and `--version` cost, beside a bare `node -e 0`. */
import { fileURLToPath } from 'node:url';
import { atMost, type BenchRow, noBar } from './bench-row.ts';
import { measureProcess, median } from './measure-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));

export async function benchStartup(rounds: number): Promise<readonly BenchRow[]> {
  const commands = { node: ['-e', '0'], version: [LAUNCHER, '--version'], help: [LAUNCHER, '--help'] };
  const taken: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const { wallSec } = await measureProcess([process.execPath, ...args], { sampleMemory: false });
      taken[name] = [...(taken[name] ?? []), wallSec * 1000];
    }
  }
  const bare = median(taken.node ?? []);
  return Object.entries(taken).map(([name, all]) =>
    name === 'node'
      ? noBar('node -e 0', bare, 'ms')
      : atMost(`--${name} (1.3 x node -e 0 + 20 ms)`, median(all), Math.round(1.3 * bare + 20), 'ms'),
  );
}
