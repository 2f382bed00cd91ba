/**
 * Makes `templates/*\/sheet.jpg`, the picture of each template in the guide: four moments of the 16:9 video and two of
 * the 9:16 one. Needs a build:
 *
 *     npm run build && node .github/make-template-sheets.js [template …]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LISTING = 'fixtures/listing.json';
const GAP = 12;
const WIDE = { width: 592, height: 333 };
const TALL = { width: 381, height: 2 * WIDE.height + GAP };
/** Where in a scene everything has arrived, and nothing leaves yet. */
const MOMENT = 0.6;

const run = (...args) =>
  execFileSync('node', ['bin/listing-video.js', ...args], { cwd: ROOT, encoding: 'utf8' });

/** The scenes of one agent's video. */
function scenesOf(template, ratio, agent) {
  const plan = JSON.parse(
    run('create', LISTING, '--template', template, '--ratio', ratio, '--dry-run', '--json', '-q'),
  );
  const video = plan.videos.find(({ agent_id }) => agent_id === agent) ?? plan.videos[0];
  return video.scenes;
}

/** The scenes that show the template best: what `kinds` asks for, in that order, none twice. */
function choose(scenes, kinds) {
  const chosen = [];
  for (const [kind, suits = () => true] of kinds) {
    const free = scenes.filter((scene) => !chosen.includes(scene) && scene.kind === kind);
    const others = scenes.filter((scene) => !chosen.includes(scene) && scene.kind === 'photo');
    chosen.push(free.find(suits) ?? free.at(-1) ?? others.findLast(hasWords));
  }
  return chosen;
}

const hasWords = ({ texts }) => texts.length > 0;

async function makeSheet(template, folder) {
  const [wide, tall] = ['1920:1080', '1080:1920'];
  const ofWide = choose(scenesOf(template, wide, 'june-takemori'), [
    ['hero'],
    ['photo', hasWords],
    ['pair'],
    ['facts'],
  ]);
  const tallScenes = scenesOf(template, tall, 'marcus-adebanji');
  const ofTall = choose(tallScenes, [['hero'], [tallScenes.at(-1).kind]]);
  const shots = [
    ...ofWide.map((scene, index) => ({
      ...{ scene, ratio: wide, agent: 'june-takemori', size: WIDE },
      left: GAP + (index % 2) * (WIDE.width + GAP),
      top: GAP + Math.floor(index / 2) * (WIDE.height + GAP),
    })),
    ...ofTall.map((scene, index) => ({
      ...{ scene, ratio: tall, agent: 'marcus-adebanji', size: TALL },
      left: GAP + 2 * (WIDE.width + GAP) + index * (TALL.width + GAP),
      top: GAP,
    })),
  ];
  const frames = [];
  for (const [index, { scene, ratio, agent, size, left, top }] of shots.entries()) {
    const file = path.join(folder, `${template}-${index}.png`);
    const at = `${(scene.start_sec + MOMENT * (scene.end_sec - scene.start_sec)).toFixed(2)}s`;
    run(
      'templates',
      'preview',
      template,
      LISTING,
      '--agent',
      agent,
      '--ratio',
      ratio,
      '--at',
      at,
      '-o',
      file,
    );
    frames.push({ input: await sharp(file).resize(size).toBuffer(), left, top });
  }
  const width = 3 * GAP + 2 * WIDE.width + 2 * (TALL.width + GAP);
  const height = 2 * GAP + TALL.height;
  const target = path.join(ROOT, 'templates', template, 'sheet.jpg');
  const ground = { width, height, channels: 3, background: '#888' };
  await sharp({ create: ground }).composite(frames).jpeg({ quality: 82, mozjpeg: true }).toFile(target);
  console.log(`${target}: ${width} x ${height}`);
}

const named = process.argv.slice(2);
const templates = readdirSync(path.join(ROOT, 'templates'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['fonts', 'soundtracks'].includes(entry.name))
  .map(({ name }) => name);
const folder = mkdtempSync(path.join(tmpdir(), 'listing-video-sheets-'));
try {
  for (const template of named.length > 0 ? named : templates) await makeSheet(template, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
