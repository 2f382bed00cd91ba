import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { startBuild } from './test/start-build.ts';

export default defineConfig({
  plugins: [startBuild()],
  test: {
    reporters: ['default', './test/closing-line.ts'],
    globalSetup: './test/leftovers/global-setup.ts',
    setupFiles: ['./test/leftovers/own-folder.ts', './test/compare-bytes.ts', './test/random-seed.ts'],
    include: ['test/**/*.test.ts'],
    // One more than CI has cores: tests of servers, databases and buckets wait for a third of their time. A fourth one saves nothing
    // more, and makes servers late.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Each worker loads the code once for all its files, which saves a second of CPU for each of them. So a helper keeps no state
    // between files: see `test/leftovers/temporary-folder.ts`.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a loaded machine a server can take longer than the default second. Who asks more often takes its CPU.
    expect: { poll: { timeout: 20_000, interval: 100 } },
    restoreMocks: true,
  },
});
