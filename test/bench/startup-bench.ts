/** What `--help` and `--version` cost, beside a bare `node -e 0`. */
import { fileURLToPath } from 'node:url';
import { measureProcess, median } from './measure-process.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));

export async function benchStartup(rounds: number) {
  const commands = { node: ['-e', '0'], version: [LAUNCHER, '--version'], help: [LAUNCHER, '--help'] };
  const taken: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const { wallSec } = await measureProcess([process.execPath, ...args], { sampleMemory: false });
      taken[name] = [...(taken[name] ?? []), wallSec * 1000];
    }
  }
  return Object.fromEntries(
    Object.entries(taken).map(([name, all]) => [`${name} ms (<= 150)`, Math.round(median(all))]),
  );
}
