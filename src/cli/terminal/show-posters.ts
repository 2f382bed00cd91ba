/**
 * Shows images on stderr in terminals that show images, such as the posters of new videos. A failure here changes
 * nothing.
 */

import { existsSync } from 'node:fs';
import { loadSharp } from '../../platform/load-sharp.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { CommandRun } from '../command-run.ts';
import type { ImageProtocol } from './terminal.ts';

/** More would push the paths of the results out of sight. */
const MAX_POSTERS = 4;

type ImageScreen = Pick<CommandRun, 'terminal' | 'output'>;

/** @param files - Absolute paths of results; the poster of a video is the `.jpg` beside it. */
export async function showPosters(
  screen: ImageScreen,
  pictures: Settings['pictures'],
  files: readonly string[],
): Promise<void> {
  const posters = files
    .filter((file) => file.endsWith('.mp4'))
    .map((file) => file.replace(/mp4$/, 'jpg'))
    .filter((file) => existsSync(file))
    .slice(0, MAX_POSTERS);
  await showImages(screen, pictures, posters);
}

async function showImages(
  { terminal, output }: ImageScreen,
  pictures: Settings['pictures'],
  files: readonly string[],
): Promise<void> {
  if (files.length === 0 || !terminal.canAnimate || output.quiet || output.json) return;
  if (pictures === 'none') return;
  const protocol = pictures === 'auto' ? await terminal.abilities.imageProtocol() : pictures;
  if (protocol === null) return;
  for (const file of files) {
    try {
      terminal.log(await encodeImage(file, protocol));
    } catch {
      // An image that cannot be shown is still in its folder.
    }
  }
}

/** Small enough to stand beside text: 30 columns of usual terminals. */
const POSTER_BOX_PX = { width: 240, height: 240 };
/** https://sw.kovidgoyal.net/kitty/graphics-protocol: at most 4096 bytes of base64 at a time. */
const KITTY_CHUNK = 4096;

/**
 * The image as control sequences that draw it at the cursor.
 *
 * @throws Whatever sharp throws for a file that is no image.
 */
async function encodeImage(file: string, protocol: ImageProtocol): Promise<string> {
  const sharp = await loadSharp();
  const png = await sharp(file)
    .resize({ ...POSTER_BOX_PX, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer();
  if (protocol === 'kitty') return toKitty(png);
  const { image } = await import('ansi-escapes');
  return image(png);
}

/** `a=T` transmits and shows at once, `f=100` is PNG, `q=2` asks for no answer; `m=1` says that more follows. */
function toKitty(png: Buffer): string {
  const chunks = png.toString('base64').match(new RegExp(`.{1,${KITTY_CHUNK}}`, 'g')) ?? [];
  return chunks
    .map((chunk, index) => {
      const more = index < chunks.length - 1 ? 1 : 0;
      const control = index === 0 ? `a=T,f=100,q=2,m=${more}` : `m=${more}`;
      return `\u001b_G${control};${chunk}\u001b\\`;
    })
    .join('');
}
