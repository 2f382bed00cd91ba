/** Shows the posters of new videos on stderr, small, in terminals that show images. A failure here changes nothing. */
import { existsSync } from 'node:fs';
import type { CommandRun } from '../command-run.ts';
import type { ImageProtocol } from './terminal.ts';

/** More would push the paths of the results out of sight. */
const MAX_POSTERS = 4;

/** @param files - Absolute paths of results; the poster of a video is the `.jpg` beside it. */
export async function showPosters(run: CommandRun, files: readonly string[]): Promise<void> {
  const { terminal, output } = run;
  if (!terminal.canAnimate || output.quiet || output.json) return;
  const posters = files
    .filter((file) => file.endsWith('.mp4'))
    .map((file) => file.replace(/mp4$/, 'jpg'))
    .filter((file) => existsSync(file))
    .slice(0, MAX_POSTERS);
  if (posters.length === 0) return;
  const { pictures } = await run.settings();
  if (pictures === 'none') return;
  const protocol = pictures === 'auto' ? await terminal.abilities.imageProtocol() : pictures;
  if (protocol === null) return;
  for (const poster of posters) {
    try {
      terminal.log(await encodeImage(poster, protocol));
    } catch {
      // A poster that cannot be shown is still in its folder.
    }
  }
}

/** Small enough to stand beside text: 30 columns of usual terminals. */
const BOX_PX = 240;
/** https://sw.kovidgoyal.net/kitty/graphics-protocol: at most 4096 bytes of base64 at a time. */
const KITTY_CHUNK = 4096;

/**
 * The image, within 240 x 240 pixels, as control sequences that draw it at the cursor.
 *
 * @throws Whatever sharp throws for a file that is no image.
 */
async function encodeImage(file: string, protocol: ImageProtocol): Promise<string> {
  const { default: sharp } = await import('sharp');
  const png = await sharp(file).resize({ width: BOX_PX, height: BOX_PX, fit: 'inside' }).png().toBuffer();
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
