import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelMemory } from '../../../../src/media/render/kernel/kernel-memory.ts';

describe('KernelMemory', () => {
  it('hands out blocks that never overlap, and takes all of them back', () => {
    const steps = fc.array(fc.record({ size: fc.integer({ min: 1, max: 300_000 }), drop: fc.nat(9) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (actions) => {
        const memory = new KernelMemory();
        const blocks: { address: number; size: number }[] = [];
        for (const { size, drop } of actions) {
          const address = memory.allocate(size);
          expect(address % 64).toBe(0);
          expect(address).toBeGreaterThan(0);
          expect(address + size).toBeLessThanOrEqual(memory.bytes.length);
          for (const other of blocks) {
            expect(address + size <= other.address || other.address + other.size <= address).toBe(true);
          }
          blocks.push({ address, size });
          const dropped = drop < 4 ? blocks.splice(drop, 1)[0] : undefined;
          if (dropped !== undefined) memory.free(dropped.address);
        }
        for (const { address } of blocks) memory.free(address);
        expect(memory.usedBytes).toBe(0);
        // All gaps have merged: what was ever there fits in one piece.
        const before = memory.bytes.length;
        memory.allocate(before - 256);
        expect(memory.bytes.length).toBe(before);
      }),
      { numRuns: 40 },
    );
  });

  it('keeps contents and old views when it grows', () => {
    const memory = new KernelMemory();
    const address = memory.allocate(16);
    const view = memory.view(address, 16);
    view.fill(7);
    memory.allocate(10_000_000);
    expect(memory.view(address, 16)).toEqual(view);
    view[0] = 9;
    expect(memory.bytes[address]).toBe(9);
  });

  it('refuses more than 1 GiB with a code and a hint', () => {
    const memory = new KernelMemory();
    expect(() => memory.allocate(1.1e9)).toThrow(expect.objectContaining({ code: 'render_failed' }));
  });
});
