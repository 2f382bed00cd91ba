/**
 * The image for containers: an OCI layout in a tar file, which `docker load` and `podman load` read. It holds the program, Node, ffmpeg
 * and what these are linked with, nothing else: see debian-libraries.js.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { sha256Of, writeTar } from './archive.js';
import { addDebianFiles } from './debian-libraries.js';
import { readHomepage } from './homepage.js';
import { ARCHITECTURES } from './make-deb.js';
import { addLists } from './portable.js';
import { ROOT, stage } from './stage.js';

const execute = promisify(execFile);
const NAME = 'listing-video';
const PLACE = `usr/lib/${NAME}`;
const LAUNCHER = path.join(ROOT, 'bin', 'package', 'debian', 'listing-video.sh');
/** A number, which tells orchestrators that the user is not root. */
const USER = 10_001;
const PORT = 8080;
const MEDIA = 'application/vnd.oci.image';
const SECOND_NS = 1e9;
const CHECK = `fetch('http://127.0.0.1:${PORT}/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`;

/** @param options - As of `makeDeb`. @returns {Promise<string>} The tar file. */
export async function makeImage({ arch, version, work, out, timeSec }) {
  const architecture = ARCHITECTURES[arch];
  const [system, program, data] = ['system', 'program', 'data'].map((name) => path.join(work, name));
  const place = path.join(program, PLACE);
  const staged = await stage({ platform: 'linux', arch, into: place, ffmpeg: null });
  await addLists(place, version, staged);
  add(program, `usr/bin/${NAME}`, LAUNCHER);
  const linked = [staged.node, ...findLibraries(path.join(staged.app, 'node_modules'))];
  addDebianFiles({ architecture, root: system, linked, work: path.join(work, 'debian') });
  addUser(system);
  mkdirSync(path.join(data, 'data'), { recursive: true });

  const layout = path.join(work, 'layout');
  const blobs = path.join(layout, 'blobs', 'sha256');
  mkdirSync(blobs, { recursive: true });
  const layers = [];
  // Where runtimes mount what the kernel offers: they cannot make the folders in a root that is read-only.
  for (const name of ['dev', 'proc', 'sys', 'tmp']) mkdirSync(path.join(system, name));
  for (const [folder, form] of [
    [system, { owner: 0 }],
    [program, { owner: 0 }],
    // Without the root itself, which stays root's.
    [data, { owner: USER, name: 'data' }],
  ]) {
    layers.push(await addLayer(folder, blobs, { timeSec, ...form }));
  }
  const config = addJson(
    blobs,
    `${MEDIA}.config.v1+json`,
    imageConfig({ version, architecture, timeSec, layers, homepage: readHomepage() }),
  );
  const manifest = addJson(blobs, `${MEDIA}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${MEDIA}.manifest.v1+json`,
    config,
    layers: layers.map(({ descriptor }) => descriptor),
  });
  addIndex(layout, { version, architecture, config, manifest, layers });
  const file = path.join(out, `${NAME}-${version}-image-${architecture}.tar`);
  await writeTar(layout, file, { timeSec });
  return file;
}

/** @see https://github.com/opencontainers/image-spec/blob/main/config.md; `Healthcheck` is Docker's. */
export function imageConfig({ version, architecture, timeSec, layers, homepage = '' }) {
  return {
    created: new Date(timeSec * 1000).toISOString(),
    architecture,
    os: 'linux',
    config: {
      User: `${USER}:${USER}`,
      ExposedPorts: { [`${PORT}/tcp`]: {} },
      Env: [
        'PATH=/usr/bin',
        'LANG=C.UTF-8',
        'LISTING_VIDEO_HOME=/data/home',
        'LISTING_VIDEO_OUT=/data/videos',
        // `serve` then needs a key: in a container, loopback would reach nobody.
        'LISTING_VIDEO_HOST=0.0.0.0',
        `LISTING_VIDEO_PORT=${PORT}`,
        // All that can be written where the root is read-only.
        'TMPDIR=/data',
        'NODE_DISABLE_COMPILE_CACHE=1',
      ],
      Entrypoint: [`/usr/bin/${NAME}`],
      Cmd: ['serve'],
      WorkingDir: '/data',
      Volumes: { '/data': {} },
      StopSignal: 'SIGTERM',
      Healthcheck: {
        Test: ['CMD', `/${PLACE}/node/node`, '--eval', CHECK],
        Interval: 30 * SECOND_NS,
        Timeout: 5 * SECOND_NS,
        StartPeriod: 20 * SECOND_NS,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': NAME,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT AND GPL-3.0-or-later',
        ...(homepage !== '' && { 'org.opencontainers.image.url': homepage }),
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ id }) => id) },
    history: layers.map(() => ({
      created: new Date(timeSec * 1000).toISOString(),
      created_by: 'npm run package',
    })),
  };
}

/** What sharp loads. */
function findLibraries(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.(?:node|so)(?:\.|$)/.test(path.basename(name)))
    .map((name) => path.join(folder, name));
}

function addUser(root) {
  const user = `${NAME}:x:${USER}:${USER}::/data:/usr/sbin/nologin\n`;
  writeFileSync(path.join(root, 'etc', 'passwd'), `root:x:0:0:root:/root:/usr/sbin/nologin\n${user}`);
  writeFileSync(path.join(root, 'etc', 'group'), `root:x:0:\n${NAME}:x:${USER}:\n`);
}

function add(root, place, source) {
  const file = path.join(root, place);
  mkdirSync(path.dirname(file), { recursive: true });
  cpSync(source, file);
}

/** @returns The descriptor of the packed layer, and the digest of its unpacked tar. */
async function addLayer(folder, blobs, form) {
  const file = path.join(blobs, 'layer');
  await writeTar(folder, file, form);
  const id = `sha256:${await sha256Of(file)}`;
  await execute('gzip', ['-6n', file]);
  rmSync(folder, { recursive: true });
  const descriptor = {
    mediaType: `${MEDIA}.layer.v1.tar+gzip`,
    digest: `sha256:${await sha256Of(`${file}.gz`)}`,
    size: statSync(`${file}.gz`).size,
  };
  renameSync(`${file}.gz`, path.join(blobs, hexOf(descriptor)));
  return { id, descriptor };
}

function addJson(blobs, mediaType, value) {
  const text = JSON.stringify(value);
  const hex = createHash('sha256').update(text).digest('hex');
  writeFileSync(path.join(blobs, hex), text);
  return { mediaType, digest: `sha256:${hex}`, size: Buffer.byteLength(text) };
}

/** Both the layout of OCI and the list that Docker before version 25 looks for. */
function addIndex(layout, { version, architecture, config, manifest, layers }) {
  const write = (name, value) => writeFileSync(path.join(layout, name), JSON.stringify(value));
  write('oci-layout', { imageLayoutVersion: '1.0.0' });
  write('index.json', {
    schemaVersion: 2,
    mediaType: `${MEDIA}.index.v1+json`,
    manifests: [
      {
        ...manifest,
        platform: { architecture, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': `${NAME}:${version}` },
      },
    ],
  });
  write('manifest.json', [
    {
      Config: `blobs/sha256/${hexOf(config)}`,
      RepoTags: [`${NAME}:${version}`],
      Layers: layers.map(({ descriptor }) => `blobs/sha256/${hexOf(descriptor)}`),
    },
  ]);
}

function hexOf({ digest }) {
  return digest.slice('sha256:'.length);
}
