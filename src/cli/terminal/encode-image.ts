/** A picture file as what a terminal draws it from; the command line's only door to sharp. */
import type { PictureProtocol } from './terminal.ts';

/** Small enough to stand beside text: 30 columns of usual terminals. */
const BOX_PX = 240;
/** https://sw.kovidgoyal.net/kitty/graphics-protocol: at most 4096 bytes of base64 at a time. */
const KITTY_CHUNK = 4096;
/** All that a sixel terminal is sure to have. */
const SIXEL_COLORS = 256;

/**
 * The picture, within 240 x 240 pixels, as control sequences that draw it at the cursor.
 *
 * @throws Whatever sharp throws for what is no picture.
 */
export async function encodePicture(file: string, protocol: PictureProtocol): Promise<string> {
  const { default: sharp } = await import('sharp');
  const small = sharp(file).resize({ width: BOX_PX, height: BOX_PX, fit: 'inside' });
  if (protocol === 'sixel') {
    const { data, info } = await small.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { image2sixel } = await import('sixel');
    return image2sixel(data, info.width, info.height, SIXEL_COLORS);
  }
  const png = await small.png().toBuffer();
  if (protocol === 'kitty') return toKitty(png);
  const { image } = await import('ansi-escapes');
  return image(png);
}

/** Transmit and show at once (`a=T`), PNG (`f=100`), no answer wanted (`q=2`); `m=1` says that more follows. */
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
