/**
 * Writes the golden frames anew: `npm run golden`. Look at what changed before you commit it; see golden-frames.test.ts for how
 * they are compared.
 */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { renderSheets } from './golden-frames.ts';

for await (const { name, widthPx, heightPx, rgb } of renderSheets()) {
  await sharp(rgb, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .webp({ quality: 92, effort: 6, smartSubsample: true })
    .toFile(fileURLToPath(new URL(`frames/${name}.webp`, import.meta.url)));
}
