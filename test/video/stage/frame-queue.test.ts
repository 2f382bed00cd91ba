/** What a person waits for is drawn first, and what nobody waits for any more is not drawn. */
import { describe, expect, it } from 'vitest';
import { FrameQueue } from '../../../src/video/stage/frame-queue.ts';

/** Work that ends when the test says so. */
function desk() {
  const queue = new FrameQueue<string>();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (key: string) => () => {
    begun.push(key);
    return new Promise<string>((resolve) => ends.set(key, () => resolve(key)));
  };
  const add = (
    key: string,
    ...rest: [urgency?: 'asked' | 'gallery' | 'ahead' | 'warm', signal?: AbortSignal]
  ) => queue.add(key, rest[0] ?? 'asked', work(key), rest[1]);
  /** Ends what runs, one after the other, until nothing waits. */
  const finish = async () => {
    while (!queue.isIdle) {
      for (const [key, end] of ends) {
        ends.delete(key);
        end();
      }
      await new Promise(setImmediate);
    }
  };
  return { queue, begun, add, finish };
}

describe('the queue of frames', () => {
  it('does two at a time: what was asked for, then stills of the gallery, then what is drawn ahead', async () => {
    const { begun, add, finish } = desk();
    for (const key of ['a', 'b']) void add(key);
    void add('warm', 'warm');
    void add('ahead', 'ahead');
    void add('still', 'gallery');
    void add('c');
    expect(begun).toEqual(['a', 'b']);
    await finish();
    expect(begun).toEqual(['a', 'b', 'c', 'still', 'ahead', 'warm']);
  });

  it('does the same work once, as urgently as anybody needs it', async () => {
    const { begun, add, finish } = desk();
    for (const key of ['a', 'b']) void add(key);
    void add('x', 'ahead');
    const [first, second] = [add('y', 'warm'), add('y', 'asked')];
    await finish();
    expect(begun).toEqual(['a', 'b', 'y', 'x']);
    expect(await Promise.all([first, second])).toEqual(['y', 'y']);
  });

  it('draws the newest first while somebody scrubs, and gives up the oldest of too many', async () => {
    const { begun, add, finish } = desk();
    const answers = Array.from({ length: 30 }, (_, index) => add(String(index)));
    await finish();
    expect(begun.slice(0, 4)).toEqual(['0', '1', '29', '28']);
    expect((await Promise.all(answers)).filter((answer) => answer === null)).toHaveLength(4);
    expect(await answers[2]).toBeNull();
  });

  it('drops work that all who asked for it have given up, and goes on after a fault', async () => {
    const { queue, begun, add, finish } = desk();
    const [one, other] = [new AbortController(), new AbortController()];
    const broken = queue.add('broken', 'asked', () => Promise.reject(new Error('no frame')));
    for (const key of ['a', 'b']) void add(key);
    const shared = [add('shared', 'asked', one.signal), add('shared', 'asked', other.signal)];
    const alone = add('alone', 'asked', one.signal);
    one.abort();
    expect(await alone).toBeNull();
    await expect(broken).rejects.toThrow('no frame');
    await finish();
    expect(await Promise.all(shared)).toEqual(['shared', 'shared']);
    expect(begun).not.toContain('alone');
  });
});
