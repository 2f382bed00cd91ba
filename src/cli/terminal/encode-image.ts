/** Turns an image file into the control sequence that draws it; the only file of `cli` that imports sharp. */
import type { ImageProtocol } from './terminal.ts';

/** Small enough to stand beside text: 30 columns of usual terminals. */
const BOX_PX = 240;
/** https://sw.kovidgoyal.net/kitty/graphics-protocol: at most 4096 bytes of base64 at a time. */
const KITTY_CHUNK = 4096;

/**
 * The image, within 240 x 240 pixels, as control sequences that draw it at the cursor.
 *
 * @throws Whatever sharp throws for a file that is no image.
 */
export async function encodeImage(file: string, protocol: ImageProtocol): Promise<string> {
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
