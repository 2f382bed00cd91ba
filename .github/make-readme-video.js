/**
 * Makes `readme-video.webp`, the animation of README, from a real render:
 *
 *     npx listing-video create fixtures/listing.json && node .github/make-readme-video.js
 *
 * The 16:9 and the 9:16 video play side by side. Each moment shows one thing: rooms, opening, a room, facts, pool, agent's
 * card. Every frame is stored whole: the difference coding of animated WebP leaves blocks in skies and walls.
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ffmpeg from '@ffmpeg-installer/ffmpeg';

/** Where each moment begins in either video, and how long it lasts. */
const MOMENTS = [
  { wideSec: 0, tallSec: 0, durationSec: 1.2 },
  { wideSec: 2, tallSec: 1.6, durationSec: 2.2 },
  { wideSec: 12.6, tallSec: 7.8, durationSec: 1.5 },
  { wideSec: 15.2, tallSec: 13, durationSec: 1.4 },
  { wideSec: 29.4, tallSec: 19.6, durationSec: 1.3 },
  { wideSec: 35.4, tallSec: 23.9, durationSec: 3.2 },
];
const VIDEOS = [
  {
    file: 'june-takemori.mp4',
    startOf: ({ wideSec }) => wideSec,
    size: '640:360',
    pad: 'pad=656:360:0:0:black@0',
  },
  { file: 'marcus-adebanji.mp4', startOf: ({ tallSec }) => tallSec, size: '202:360', pad: 'null' },
];

const inputs = VIDEOS.flatMap(({ file, startOf }) =>
  MOMENTS.flatMap((moment) => {
    const span = ['-ss', startOf(moment), '-t', moment.durationSec];
    return [...span, '-i', `videos/HP-204128/${file}`];
  }),
);
const columns = VIDEOS.map(({ size, pad }, video) => {
  const moments = MOMENTS.map((_, index) => `[${video * MOMENTS.length + index}:v]`).join('');
  const joined = `${moments}concat=n=${MOMENTS.length}`;
  // Videos are BT.709; WebP is BT.601.
  const scale = `scale=${size}:flags=lanczos:in_color_matrix=bt709:out_color_matrix=bt601`;
  return `${joined},fps=12,${scale},format=yuva420p,${pad}[column${video}]`;
});
const filters = [...columns, '[column0][column1]hstack'].join(';');
const target = fileURLToPath(new URL('readme-video.webp', import.meta.url));
const encoding = '-c:v libwebp -preset picture -quality 50 -compression_level 6 -loop 0'.split(' ');
const args = [...inputs, '-filter_complex', filters, ...encoding, target];
execFileSync(ffmpeg.path, ['-loglevel', 'error', '-y', ...args], { stdio: 'inherit' });
console.log(`${target}: ${(statSync(target).size / 1e6).toFixed(2)} MB`);
