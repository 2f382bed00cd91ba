/** Which storyboards are taken from the cache. */
import { describe, expect, it } from 'vitest';
import type { Storyboard } from '../../src/design/storyboard/storyboard.ts';
import { provideStoryboard, type StoryboardSource } from '../../src/video/plan/provide-storyboard.ts';

const photo = { digest: 'a', url: 'https://x/a.jpg', masterPath: '/work/1/a', widthPx: 4, heightPx: 2 };
const SOURCE = {
  listing: { id: 'l' },
  template: { id: 'classic' },
  templateData: { accent: '#123456' },
  ratio: '1920:1080',
  photos: [photo],
  portrait: null,
  logo: null,
} as unknown as StoryboardSource;

function kept() {
  const entries = new Map<string, Buffer>();
  const made: string[] = [];
  const provide = (source: StoryboardSource, title: string, fingerprint: string | null = 'build 1') =>
    provideStoryboard(
      source,
      fingerprint === null
        ? null
        : {
            fingerprint,
            cache: {
              read: async (_kind, name) => entries.get(name),
              putBytes: async (_kind, name, bytes) => Boolean(entries.set(name, Buffer.from(bytes))),
            },
          },
      async () => {
        made.push(title);
        return { title } as Storyboard;
      },
    );
  return { made, provide };
}

describe('a storyboard', () => {
  it('is made once for the same listing, wherever the run keeps its photos', async () => {
    const { made, provide } = kept();
    await provide(SOURCE, 'first');
    const elsewhere = {
      ...SOURCE,
      photos: [{ ...photo, masterPath: '/work/2/a' }],
    } as unknown as StoryboardSource;
    expect(await provide(elsewhere, 'second')).toEqual({ title: 'first' });
    expect(made).toEqual(['first']);
  });

  it('is made once however the engine keeps its numbers', async () => {
    const { made, provide } = kept();
    const fractions = [1.5, 2];
    fractions[0] = 1;
    for (const points of [[1, 2], fractions])
      await provide({ ...SOURCE, beats: { points } } as unknown as StoryboardSource, 'made');
    expect(made).toEqual(['made']);
  });

  it('is made again for other texts, data, photos, images, code or fonts', async () => {
    const { made, provide } = kept();
    const changes = [
      { listing: { id: 'm' } },
      { templateData: {} },
      { photos: [{ ...photo, digest: 'b' }] },
      { images: new Map([['badge', { ...photo, digest: 'c' }]]) },
      { images: new Map([['badge', { ...photo, digest: 'd' }]]) },
    ];
    await provide(SOURCE, 'first');
    for (const [index, change] of changes.entries())
      await provide({ ...SOURCE, ...change } as unknown as StoryboardSource, `change ${index}`);
    await provide(SOURCE, 'code', 'build 2');
    expect(made).toHaveLength(changes.length + 2);
  });

  it('is always made where there is no build', async () => {
    const { made, provide } = kept();
    await provide(SOURCE, 'first', null);
    await provide(SOURCE, 'second', null);
    expect(made).toEqual(['first', 'second']);
  });
});
