/** File names of a run in the folder of its listing: what keeps its name, what gets another one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../src/platform/disk/safe-name.ts';
import {
  chooseNames,
  type NamedVideo,
  type NamingRules,
  smallName,
  type UnnamedVideo,
} from '../../src/video/plan/choose-names.ts';

const RULES: NamingRules = { isTemplateChosen: false, force: false };

function june(change: Partial<UnnamedVideo> = {}): UnnamedVideo {
  const variant = { ratio: '1920:1080', templateId: 'classic', isDraft: false } as const;
  return { agentId: 'june', plainName: 'june', isOtherShape: false, ...variant, ...change };
}

function has(name: string, change: Partial<NamedVideo> = {}): NamedVideo {
  const { agentId, ratio, templateId, isDraft } = june();
  return { agentId, ratio, templateId, isDraft, name, ...change };
}

const TALL = { ratio: '1080:1920' } as const;
const LUXURY = { templateId: 'luxury' } as const;
const DRAFT = { isDraft: true } as const;

describe('in an empty folder', () => {
  it('the agent’s own video is named for the agent, and the other shape for both', () => {
    expect(chooseNames([june(TALL)], [], RULES)).toEqual(['june']);
    expect(chooseNames([june(), june({ ...TALL, isOtherShape: true })], [], RULES)).toEqual([
      'june',
      'june-1080x1920',
    ]);
  });

  it('an agent whose id looks like the name of another shape keeps it', () => {
    const other = june({ agentId: 'june-1080x1920', plainName: 'June-1080x1920' });
    expect(chooseNames([june(), other, june({ ...TALL, isOtherShape: true })], [], RULES)).toEqual([
      'june',
      'June-1080x1920',
      'june-1080x1920-2',
    ]);
  });
});

describe('in the folder of an earlier run', () => {
  it.each([
    ['the same video', {}, has('june'), 'june'],
    ['another template of the listing', LUXURY, has('june'), 'june'],
    ['a finished video after its draft', {}, has('june', DRAFT), 'june'],
    ['another shape', TALL, has('june'), 'june-1080x1920'],
    ['the landscape shape, when it comes second', {}, has('june', TALL), 'june-1920x1080'],
    ['a draft after a finished video', DRAFT, has('june'), 'june-draft'],
    ['all of this', { ...TALL, ...LUXURY, ...DRAFT }, has('june'), 'june-1080x1920-luxury-draft'],
  ])('%s', (_, change, earlier, name) => {
    expect(chooseNames([june(change)], [earlier], RULES)).toEqual([name]);
    const again = [{ ...has(name), ...change }, earlier];
    expect(chooseNames([june(change)], again, RULES)).toEqual([name]);
  });

  it('a file for a place keeps its name, and no other file takes it', () => {
    const youtube = { plainName: 'june-youtube', namedFor: 'youtube' };
    const earlier = [has('june-youtube', { namedFor: 'youtube' })];
    expect(chooseNames([june(youtube), june()], earlier, RULES)).toEqual(['june-youtube', 'june']);
    expect(chooseNames([june(youtube)], [has('june')], RULES)).toEqual(['june-youtube']);
  });

  it('a template of the command line does not replace a video with another one, unless forced', () => {
    const rules = { ...RULES, isTemplateChosen: true };
    expect(chooseNames([june(LUXURY)], [has('june')], rules)).toEqual(['june-luxury']);
    expect(chooseNames([june(LUXURY)], [has('june')], { ...rules, force: true })).toEqual(['june']);
  });

  it('no video takes a name that shows another template or a draft', () => {
    const finished = has('june');
    expect(
      chooseNames([june(DRAFT)], [has('june-luxury', { ...LUXURY, ...DRAFT }), finished], RULES),
    ).toEqual(['june-draft']);
    const rules = { ...RULES, isTemplateChosen: true };
    const proof = has('june-luxury-draft', { ...LUXURY, ...DRAFT });
    expect(chooseNames([june(LUXURY)], [proof, finished], rules)).toEqual(['june-luxury']);
  });

  it('--also-ratio finds both shapes under the names that they have', () => {
    const both = [june(), june({ ...TALL, isOtherShape: true })];
    const folder = [has('june', TALL), has('june-1920x1080')];
    expect(chooseNames(both, folder, RULES)).toEqual(['june-1920x1080', 'june']);
    expect(chooseNames(both, folder, { ...RULES, force: true })).toEqual(['june-1920x1080', 'june']);
  });

  it('a video that loses its branding leaves the name that shows the agent', () => {
    const unbranded = june({ plainName: 'unbranded', templateId: 'unbranded' });
    expect(chooseNames([unbranded], [has('june')], RULES)).toEqual(['unbranded']);
    const branded = has('unbranded', { templateId: 'unbranded' });
    expect(chooseNames([june()], [branded], RULES)).toEqual(['june']);
  });
});

describe('without --force', () => {
  const variant = fc.record({
    agentId: fc.constantFrom('june', 'JUNE', 'june-1080x1920', null),
    ratio: fc.constantFrom('1920:1080' as const, '1080:1920' as const),
    templateId: fc.constantFrom('classic', 'luxury'),
    isDraft: fc.boolean(),
  });
  const plainNameOf = (agentId: string | null) => agentId?.replace('JUNE', 'JUNE~1') ?? 'unbranded';

  it('no run replaces another shape, a finished video by a draft, or a video of somebody else', () => {
    const runs = fc.array(
      fc.record({ videos: fc.array(variant, { maxLength: 5 }), isTemplateChosen: fc.boolean() }),
    );
    fc.assert(
      fc.property(runs, (all) => {
        let folder: NamedVideo[] = [];
        for (const { videos, isTemplateChosen } of all) {
          const wanted = videos.map((video) => ({
            ...video,
            plainName: plainNameOf(video.agentId),
            isOtherShape: false,
          }));
          const names = chooseNames(wanted, folder, { isTemplateChosen, force: false });
          expect(new Set(names.map(foldCase)).size).toBe(names.length);
          const made = videos.map((video, index) => ({ ...video, name: names[index]! }));
          for (const { name, ...video } of made) {
            const replaced = folder.find((found) => foldCase(found.name) === foldCase(name));
            const words = name.split('-');
            expect(words.includes('luxury') && video.templateId !== 'luxury').toBe(false);
            expect(words.includes('draft') && !video.isDraft).toBe(false);
            if (replaced === undefined) continue;
            expect([replaced.agentId, replaced.ratio]).toEqual([video.agentId, video.ratio]);
            expect(video.isDraft && !replaced.isDraft).toBe(false);
            if (isTemplateChosen) expect(replaced.templateId).toBe(video.templateId);
          }
          folder = [
            ...made,
            ...folder.filter(({ name }) => !names.some((n) => foldCase(n) === foldCase(name))),
          ];
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('the smaller file of a video never takes the name of another video', () => {
  expect(smallName('june', ['june', 'ann'])).toBe('june-720p');
  expect(smallName('june', ['june', 'June-720P', 'june-720p-2'])).toBe('june-720p-3');
});
