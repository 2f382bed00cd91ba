/** Texts beside a video: WebVTT of what is on screen, and title, description and chapters to paste. */
import { describe, expect, it } from 'vitest';
import type { Storyboard } from '../../src/design/storyboard/storyboard.ts';
import { deliveryFor } from '../../src/video/destinations/delivery.ts';
import { formatCaptions } from '../../src/video/sidecars/format-captions.ts';
import { formatDescription } from '../../src/video/sidecars/format-description.ts';
import { sampleStoryboard, templates } from '../design/storyboard/sample.ts';

function scene(kind: string, durationFrames: number, ...reads: string[]) {
  const layers = reads.map((text) => ({ type: 'text', reads: text }));
  return { id: kind, kind, durationFrames, layers, transition: { kind: 'cut' } };
}

const STORYBOARD = {
  fps: 30,
  title: '12 Garden Way, Portland, OR — Ann Lee',
  comment: '$500,000 · 3 bedrooms',
  words: {
    ...{ headline: 'The Garden\u00a0House', status: 'New', address: '12 Garden Way, Portland, OR' },
    ...{
      openHouse: 'Open house · Saturday',
      link: 'https://example.com/12',
      disclosure: 'Taxes may change.',
    },
    originals: 'https://example.com/originals',
  },
  scenes: [
    scene('hook', 45),
    scene('hero', 105, 'The Garden\u00a0House', '12 Garden Way', '12 Garden Way', ''),
    scene('photo', 90, 'Kitchen --> <b>garden</b> & more\n\nroom'),
    scene('photo', 90),
    scene('facts', 90, '$500,000', 'offered at', '3', 'bed\u200brooms', '3', 'baths', '7'),
    scene('photo', 1800),
    scene('card', 90, 'Ann Lee'),
  ],
} as unknown as Storyboard;

const USUAL = { delivery: deliveryFor([]) };
const LISTING = { id: 'L', assets: [], agents: [] };
const ANN = {
  ...{ id: 'ann', first_name: 'Ann', last_name: 'Lee', designation: 'Realtor' },
  phones: [{ number: '(503) 555-0128' }],
  emails: [{ address: 'ann@example.com' }],
};

describe('the captions', () => {
  it('say a broken text of plates in one line, as the listing writes it', () => {
    const headline = 'A shingle-style family house between the old town, the lake and the good school';
    const social = templates.find(({ id }) => id === 'social')!;
    const board = sampleStoryboard({ template: social, ratio: '1080:1920', data: { headline } });
    expect(board.scenes.flatMap(({ layers }) => layers.map(({ id }) => id))).toContain('headline-2');
    expect(formatCaptions(board).split('\n')).toContain(headline);
  });

  it('are a cue for each scene with words, each line once, without anything that ends a cue', () => {
    expect(formatCaptions(STORYBOARD)).toBe(
      [
        'WEBVTT',
        '',
        '00:00:01.500 --> 00:00:05.000\nThe Garden House\n12 Garden Way\n',
        '00:00:05.000 --> 00:00:08.000\nKitchen --&gt; &lt;b&gt;garden&lt;/b&gt; &amp; more room\n',
        '00:00:11.000 --> 00:00:14.000\n$500,000\noffered at\n3 bedrooms\n3 baths\n7\n',
        '00:01:14.000 --> 00:01:17.000\nAnn Lee\n',
      ].join('\n'),
    );
  });

  it('have one cue for scenes in a row that say the same', () => {
    const scenes = [
      scene('hook', 15, 'New'),
      scene('hook', 15, 'New'),
      scene('photo', 30),
      scene('photo', 30, 'New'),
    ];
    expect(formatCaptions({ fps: 30, scenes } as unknown as Storyboard)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nNew\n\n00:00:02.000 --> 00:00:03.000\nNew\n',
    );
  });
});

describe('the description', () => {
  it('has the title in its first line, then the facts, the chapters, the contact, the disclosure and the originals', () => {
    expect(formatDescription({ storyboard: STORYBOARD, listing: LISTING, agent: ANN, ...USUAL })).toBe(
      `12 Garden Way, Portland, OR — Ann Lee

The Garden House
New
12 Garden Way, Portland, OR
$500,000 · 3 bedrooms
Open house · Saturday
https://example.com/12

0:00 Opening
0:05 Photos
0:11 Facts
0:14 Photos
1:14 Contact

Ann Lee, Realtor
(503) 555-0128
ann@example.com

Taxes may change.
Original photos: https://example.com/originals
`,
    );
  });

  it('begins with the words that the listing gives, and what follows them stays', () => {
    const given = 'A garden home.\n\nTen minutes from the station.';
    const words = { ...STORYBOARD.words!, description: given };
    const text = formatDescription({
      storyboard: { ...STORYBOARD, words },
      listing: LISTING,
      agent: ANN,
      ...USUAL,
    });
    expect(text).toContain(`— Ann Lee\n\n${given}\n\n0:00 Opening\n`);
    expect(text).toMatch(/ann@example\.com\n\nTaxes may change\./);
    expect(text).not.toContain('3 bedrooms');
  });

  it('of a video without branding has no contact', () => {
    const storyboard = { ...STORYBOARD, title: '12 Garden Way', scenes: STORYBOARD.scenes.slice(0, 4) };
    const listing = { ...LISTING, agents: [ANN] };
    const text = formatDescription({ storyboard, listing, agent: null, ...USUAL });
    expect(text).not.toMatch(/Ann|555|example\.com\/ann|Contact/);
    expect(text).toContain('Original photos: https://example.com/originals');
  });
});

describe('the chapters of a file for YouTube', () => {
  const chaptersOf = (...seconds: [kind: string, sec: number][]) => {
    const scenes = seconds.map(([kind, sec]) => scene(kind, sec * 30));
    const storyboard = { ...STORYBOARD, scenes } as unknown as Storyboard;
    const delivery = deliveryFor(['instagram-reels', 'youtube']);
    const text = formatDescription({ storyboard, listing: LISTING, agent: null, delivery });
    return text.match(/^\d+:\d\d .*$/gm) ?? [];
  };

  it('are joined until each lasts 10 s, as its line says, the last one with the one before it', () => {
    expect(
      chaptersOf(
        ['hook', 2],
        ['hero', 4.5],
        ['photo', 3.4],
        ['facts', 4],
        ['photo', 40],
        ['originals', 10],
        ['card', 6],
      ),
    ).toEqual(['0:00 Opening, photos and facts', '0:13 Photos', '0:53 Original photos and contact']);
    expect(
      chaptersOf(['hero', 9.9], ['photo', 10], ['facts', 10], ['photo', 9.9], ['closing', 5], ['card', 5]),
    ).toEqual(['0:00 Opening and photos', '0:19 Facts', '0:29 Photos', '0:39 Address and contact']);
  });

  it('are left out where fewer than three are left', () => {
    expect(chaptersOf(['hero', 10], ['photo', 10], ['card', 9.9])).toEqual([]);
    expect(chaptersOf(['photo', 60])).toEqual([]);
    expect(chaptersOf(['hero', 10], ['photo', 10], ['card', 10])).toHaveLength(3);
  });
});
