/** One cold process of the store bench: does one thing with the store in the home given and prints what it took. */
const [home = '', what = '', argument = '{}'] = process.argv.slice(2);
const beforeImport = performance.now();
const { createFileTaskStore } = await import('../../../src/task/files/tasks/file-task-store.ts');
const { newTaskId } = await import('../../../src/task/new-task-id.ts');
const importMs = performance.now() - beforeImport;

const payload = {
  listing: {
    id: 'L-1',
    assets: Array.from({ length: 25 }, (_, n) => ({ url: `https://photos.example/${n}.jpg` })),
  },
};
const store = createFileTaskStore({ home });
const create = () => store.create({ id: newTaskId(), origin: 'api', organizationId: 'default', payload });

const works: Record<string, () => Promise<object>> = {
  list: async () => {
    const begin = performance.now();
    const page = await store.list({ limit: 20, ...JSON.parse(argument) });
    return { ms: performance.now() - begin, found: page.data.length };
  },
  create: async () => {
    const taken: number[] = [];
    for (let n = 0; n < Number(argument); n++) {
      const begin = performance.now();
      await create();
      taken.push(performance.now() - begin);
    }
    taken.sort((a, b) => a - b);
    return { p50: taken[Math.floor(taken.length / 2)], p95: taken[Math.floor(taken.length * 0.95)] };
  },
  createMany: async () => {
    let left = Number(argument);
    const begin = performance.now();
    const worker = async () => {
      while (left-- > 0) await create();
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    return { perSec: Number(argument) / ((performance.now() - begin) / 1000) };
  },
  claim: async () => {
    const begin = performance.now();
    const result = await store.claimNext({ origin: 'api', trustLeases: true });
    return { ms: performance.now() - begin, kind: result?.kind };
  },
};
const result = await works[what]!();
console.log(JSON.stringify({ ...result, importMs, peakMb: process.resourceUsage().maxRSS / 1024 }));
