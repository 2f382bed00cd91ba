import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', './test/closing-line.ts'],
    include: ['test/**/*.test.ts'],
    // Rendering tests own both cores; a few processes at a time keep them from starving each other.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On a loaded machine a server can take longer than the default second.
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
  },
});
