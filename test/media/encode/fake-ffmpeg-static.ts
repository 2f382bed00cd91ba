/**
 * A package with the contract of ffmpeg-static, and the host of its downloads. The real one is not there on every
 * machine.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { type LoopbackServer, startServer } from '../assets/loopback-server.ts';

/**
 * As its script: fetches `$FFMPEG_BINARIES_URL/<tag>/ffmpeg-<platform>-<arch>.gz` to `$FFMPEG_BIN`, then the license.
 */
const SCRIPT = `
const { writeFileSync, mkdirSync } = require('node:fs');
const { gunzipSync } = require('node:zlib');
const base = (process.env.FFMPEG_BINARIES_URL || 'https://github.com/none') + '/b6.1.1/';
const place = process.platform + '-' + process.arch;
const get = (name) => new Promise((resolve, reject) => require('node:http').get(base + name, (answer) => {
  if (answer.statusCode !== 200) return reject(new Error('Failed to download ' + name));
  const pieces = [];
  answer.on('data', (piece) => pieces.push(piece)).on('end', () => resolve(Buffer.concat(pieces)));
}).on('error', reject));
mkdirSync(process.env.XDG_CACHE_HOME + '/ffmpeg-static-nodejs');
(async () => {
  writeFileSync(process.env.FFMPEG_BIN, gunzipSync(await get('ffmpeg-' + place + '.gz')), { mode: 0o755 });
  writeFileSync(process.env.FFMPEG_BIN + '.LICENSE', await get(place + '.LICENSE'));
})().catch((error) => { console.error(error); process.exit(1); });
`;

/** @returns The module to look packages up from. */
export async function fakeFfmpegStatic(): Promise<string> {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules', 'ffmpeg-static');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'ffmpeg-static',
      version: '5.3.0',
      license: 'GPL-3.0-or-later',
      'ffmpeg-static': { 'binary-release-tag': 'b6.1.1' },
    }),
  );
  await writeFile(join(folder, 'install.js'), SCRIPT);
  return join(root, 'main.js');
}

/** @param program - What it serves as ffmpeg. */
export function startDownloadHost(program: Buffer): Promise<LoopbackServer> {
  const place = `${process.platform}-${process.arch}`;
  const packed = gzipSync(program, { level: 1 });
  return startServer({
    [`/b6.1.1/ffmpeg-${place}.gz`]: (response) =>
      void response.writeHead(200, { 'content-length': packed.length }).end(packed),
    [`/b6.1.1/${place}.LICENSE`]: (response) => void response.end('GPL'),
  });
}
