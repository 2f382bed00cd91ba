/**
 * Writes the golden frames anew: `npm run golden`. Look at what changed before you commit it; see golden-frames.test.ts
 * for how they are compared.
 */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { renderSheets } from './golden-frames.ts';

// 4:4:4, since type on saturated plates would lose its edges.
for await (const { name, widthPx, heightPx, rgb } of renderSheets()) {
  await sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .avif({ quality: 80, effort: 5, chromaSubsampling: '4:4:4' })
    .toFile(fileURLToPath(new URL(`frames/${name}.avif`, import.meta.url)));
}
