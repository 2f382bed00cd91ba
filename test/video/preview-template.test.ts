/** Template previews: the file that is written, its size and format, and that it shows the video's own frame. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import type { ListingVideoError } from '../../src/platform/errors.ts';
import type { RenderDeps } from '../../src/video/render-deps.ts';
import { type PreviewRequest, previewTemplate } from '../../src/video/templates/preview-template.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { renderDepsIn } from './render-deps.ts';

const SMALL = fileURLToPath(new URL('../../fixtures/small', import.meta.url));
const LISTING: Listing = {
  id: 'small',
  assets: [{ url: 'photos/front.jpg' }, { url: 'photos/kitchen.jpg' }, { url: 'photos/pool.jpg' }],
  agents: [{ id: 'a', first_name: 'Ada', last_name: 'Byron' }],
};

const folder = temporaryFolder();
let deps: RenderDeps;
beforeAll(() => {
  deps = renderDepsIn(path.join(folder, 'home'));
});

function preview(name: string, shot: PreviewRequest['shot'], over: Partial<PreviewRequest> = {}) {
  const order: PreviewRequest = {
    ...{ listing: LISTING, baseDir: SMALL, templateId: 'classic', templatesDirs: [], shot },
    file: path.join(folder, 'out', name),
    ...over,
  };
  return previewTemplate(order, deps, { signal: new AbortController().signal });
}

describe('previewTemplate', () => {
  it('writes one frame as large as the video, and none for a time after the end', async () => {
    const late = (atSec: number) => preview('last.png', { kind: 'still', atSec, format: 'png' });
    const refused = await late(999).catch((error: unknown) => error as ListingVideoError);
    expect(refused).toMatchObject({ code: 'usage' });
    const [, lengthSec] = /^--at: 999 s is after the end: the video is (\d+\.\d) s long$/.exec(
      (refused as ListingVideoError).message,
    )!;
    const [, lastSec] = /^--at (\d+(?:\.\d)?)s, or an earlier time$/.exec(
      (refused as ListingVideoError).hint!,
    )!;
    const clip = { kind: 'clip', fromSec: Number(lengthSec) + 0.1, durationSec: 1, format: 'gif' } as const;
    await expect(preview('late.gif', clip)).rejects.toMatchObject({ code: 'usage' });
    const made = await late(Number(lastSec));
    expect(made.video_sec).toBeCloseTo(Number(lengthSec), 1);
    expect(made.video_sec - made.shown_sec[1]).toBeLessThan(0.14);
    const { data, info } = await sharp(made.file).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.format]).toEqual([1920, 1080, 'raw']);
    // The card is classic's ivory at its upper right corner.
    const corner = data.subarray((info.width - 1) * info.channels);
    expect([0xf4, 0xef, 0xe4].map((value, index) => Math.abs(value - corner[index]!))).toEqual([
      expect.closeTo(0, -1),
      expect.closeTo(0, -1),
      expect.closeTo(0, -1),
    ]);
    expect(readdirSync(path.join(folder, 'out'))).toEqual(['last.png']);
  });

  it('puts all scenes on one sheet, as JPEG by its name', async () => {
    const shot = { kind: 'sheet', format: 'jpg' } as const;
    const { file, width_px, height_px } = await preview('sheet.jpg', shot, { ratio: '1080:1920' });
    expect(await sharp(file).metadata()).toMatchObject({
      format: 'jpeg',
      width: width_px,
      height: height_px,
    });
    // Between the stills lies the sheet; in their middle there is more than one colour.
    const { channels } = await sharp(file).extract({ left: 24, top: 24, width: 270, height: 480 }).stats();
    expect(channels[0]!.stdev).toBeGreaterThan(10);
  });

  it('shows dim photos lifted in stills, sheets and GIFs alike', async () => {
    await sharp(path.join(SMALL, 'photos/bedroom.jpg')).linear(0.6).toFile(path.join(folder, 'dim.jpg'));
    const over = { listing: { ...LISTING, assets: [{ url: 'dim.jpg' }] }, baseDir: folder };
    const shots = {
      png: { kind: 'still', atSec: 1, format: 'png' },
      jpg: { kind: 'sheet', format: 'jpg' },
      gif: { kind: 'clip', fromSec: 1, durationSec: 0.5, format: 'gif' },
    } as const;
    for (const [format, shot] of Object.entries(shots)) {
      const lumaOf = async (name: string, templateData: Record<string, string>) => {
        const { file } = await preview(`${name}.${format}`, shot, { ...over, templateData });
        return (await sharp(file).greyscale().stats()).channels[0]!.mean;
      };
      const plain = await lumaOf('plain', { grade: 'none' });
      expect(await lumaOf('lifted', {}), format).toBeGreaterThan(plain + 1);
    }
  });

  it('writes a clip with the requested number of frames', async () => {
    const shot = { kind: 'clip', fromSec: 1, durationSec: 0.5, format: 'mp4' } as const;
    const { file, shown_sec } = await preview('clip.mp4', shot);
    expect(shown_sec).toEqual([1, 1.5]);
    const track = await new Input({
      formats: ALL_FORMATS,
      source: new FilePathSource(file),
    }).getPrimaryVideoTrack();
    expect((await track?.computePacketStats())?.packetCount).toBe(15);
  });

  it('reports what it could not show', async () => {
    const assets = [...LISTING.assets, { url: 'photos/none.jpg' }];
    const made = await preview(
      'warned.png',
      { kind: 'still', atSec: 0, format: 'png' },
      {
        listing: { ...LISTING, assets },
        templateData: { headlin: 'x' },
      },
    );
    expect(made.warnings).toEqual([expect.stringContaining('did you mean "headline"?')]);
    expect(made.dropped_assets).toMatchObject([{ url: 'photos/none.jpg' }]);
  });
});
