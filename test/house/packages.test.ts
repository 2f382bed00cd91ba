/** What packages are made with: archives that are always the same, licenses that are all there, programs without symbols. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// The scripts are plain JavaScript, as the build that runs before them.
const load = (name: string) => import(pathToFileURL(path.join(ROOT, 'bin', name)).href);
const { sha256Of, findTime, writeTarGz, writeTarXz, writeZip } = await load('package/archive.js');
const { foreignFfmpeg, listInside, formatThirdParty } = await load('package/licenses.js');
const { formatSbom } = await load('package/sbom.js');
const { parseParts } = await load('build/format-licenses.js');
const { isNeedless } = await load('package/prune.js');
const { strip, stripNode } = await load('package/strip-program.js');
const { PLATFORMS } = await load('package/platforms.js');
const { bundleManifest } = await load('package/assistant-bundle.js');
const { recipeOf } = await load('package/ffmpeg/recipe.js');
const { makeWindowsIcon } = await load('package/icon.js');

const TIME_SEC = 1_700_000_001;

/** The same files, written at `writtenSec` with other modes. */
function writeProgram(writtenSec: number, modes: { program: number; file: number }): string {
  const folder = path.join(temporaryFolder(), 'program');
  mkdirSync(path.join(folder, 'lib'), { recursive: true });
  for (const [name, mode] of [
    ['run', modes.program],
    ['lib/a.txt', modes.file],
    ['B.txt', modes.file],
  ] as const) {
    const file = path.join(folder, name);
    writeFileSync(file, `${name}\n`);
    chmodSync(file, mode);
    utimesSync(file, writtenSec, writtenSec);
  }
  return folder;
}

describe.skipIf(process.platform !== 'linux')('archives', () => {
  it('have the same bytes whenever, and by whomever, the same files were written', async () => {
    const folders = [
      writeProgram(1_000_000_000, { program: 0o700, file: 0o600 }),
      writeProgram(1_600_000_000, { program: 0o775, file: 0o664 }),
    ];
    const digests = await Promise.all(
      folders.map(async (folder) => {
        const [tar, xz, zip] = ['tar.gz', 'tar.xz', 'zip'].map((ending) => `${folder}.${ending}`) as [
          string,
          string,
          string,
        ];
        await writeTarGz(folder, tar, TIME_SEC);
        await writeTarXz(folder, xz, { timeSec: TIME_SEC, isForX86: true });
        await writeZip(folder, 'top/', zip, TIME_SEC);
        expect(Object.keys(unzipSync(readFileSync(zip)))).toEqual(['top/B.txt', 'top/lib/a.txt', 'top/run']);
        return Promise.all([tar, xz, zip].map(sha256Of));
      }),
    );
    expect(digests[0]).toEqual(digests[1]);
    const listed = execFileSync('tar', ['--utc', '-tvzf', `${folders[0]}.tar.gz`], { encoding: 'utf8' });
    expect(listed).toMatch(/^drwxr-xr-x 0\/0 +0 2023-11-14 22:13 program\//);
    expect(listed).toMatch(/^-rwxr-xr-x 0\/0 .* program\/run$/m);
    expect(listed).toMatch(/^-rw-r--r-- 0\/0 .* program\/lib\/a\.txt$/m);
  });

  it('take SOURCE_DATE_EPOCH as their time, and refuse one that is no number', async () => {
    expect(await findTime(ROOT, { SOURCE_DATE_EPOCH: '1700000001' })).toBe(TIME_SEC);
    await expect(findTime(ROOT, { SOURCE_DATE_EPOCH: 'today' })).rejects.toThrow(
      /SOURCE_DATE_EPOCH is today/,
    );
  });

  it('hold programs without symbols that still run', () => {
    const program = readFileSync('/bin/true');
    const file = path.join(temporaryFolder(), 'true');
    writeFileSync(file, strip(program), { mode: 0o755 });
    execFileSync(file);
    expect(strip(program).length).toBeLessThan(program.length);
    expect(() => strip(Buffer.from('#!/bin/sh'))).toThrow(/not a 64-bit program/);
  });

  // Debian's own Node is a library beside a small program.
  it.skipIf(Reflect.get(process.config.variables, 'node_shared') === true)(
    'hold a Node without what no package reads, that draws, breaks words of all scripts and writes English',
    () => {
      const file = path.join(temporaryFolder(), 'node');
      cpSync(process.execPath, file);
      stripNode(file);
      expect(statSync(file).size).toBeLessThan(0.75 * statSync(process.execPath).size);
      const script = `
        const sharp = require('sharp');
        const words = [...new Intl.Segmenter('en', { granularity: 'word' }).segment('สวัสดีชาวโลก 渋谷区')];
        const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone: 'America/New_York' });
        sharp({ create: { width: 8, height: 4, channels: 3, background: 'red' } }).avif().toBuffer()
          .then((bytes) => sharp(bytes).metadata())
          .then(({ width }) => console.log(JSON.stringify([
            process.version, width, words.length, date.format(0), new Date(0).toLocaleDateString('sv-SE'),
            new TextDecoder('utf-16be').decode(Buffer.from([0, 65])), require('url').domainToASCII('bücher.example'),
            'straße'.normalize('NFKD').localeCompare('strasse'), (1234567.5).toLocaleString('en-GB'),
          ])));`;
      const answerOf = (program: string) =>
        execFileSync(program, ['--eval', script], {
          cwd: ROOT,
          encoding: 'utf8',
          env: { LC_ALL: 'de_DE.UTF-8', TZ: 'UTC' },
        });
      expect(answerOf(file)).toBe(answerOf(process.execPath));
    },
  );
});

describe('packages', () => {
  /** A staged folder, with one package of each kind. */
  function writeStaged() {
    const folder = temporaryFolder();
    const [app, node] = [path.join(folder, 'app'), path.join(folder, 'node', 'node')];
    const write = (file: string, text: string) => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    const add = (place: string, manifest: object, license?: string) => {
      write(path.join(app, place, 'package.json'), JSON.stringify(manifest));
      if (license !== undefined) write(path.join(app, place, 'LICENSE'), license);
    };
    write(node, 'program');
    write(path.join(folder, 'node', 'LICENSE'), 'Node.js license');
    const parts = `Title.\n\n${'-'.repeat(78)}\nin-bundle 1.0.0 (MIT)\n\nBundled.\n`;
    write(path.join(app, 'dist', 'licenses.txt'), parts);
    add('dist/design/text/fonts/@f/sans', { name: '@f/sans', version: '5.0.0', license: 'OFL-1.1' }, 'OFL');
    add('node_modules/outer', { name: 'outer', version: '2.0.0', license: '(MIT OR Apache-2.0)' }, 'MIT');
    add('node_modules/outer/node_modules/old', {
      name: 'old',
      version: '0.1.0',
      licenses: [{ type: 'MIT' }],
    });
    add('node_modules/outer/esm', { type: 'module' });
    add(
      'node_modules/ffmpeg-static',
      { name: 'ffmpeg-static', version: '5.3.0', license: 'GPL-3.0-or-later' },
      'GPL',
    );
    write(path.join(app, 'ffmpeg', 'ffmpeg'), 'built');
    const carried = { name: '@ffmpeg-installer/linux-x64', version: '4.1.0', license: 'LGPL-2.1' };
    add('node_modules/@ffmpeg-installer/linux-x64', carried);
    write(path.join(app, 'node_modules/@ffmpeg-installer/linux-x64/ffmpeg'), 'ffmpeg');
    return { app, node, nodeVersion: '22.0.0', ffmpegParts: [foreignFfmpeg(ROOT, 'abc'.repeat(8))] };
  }

  it('list everything inside with its license, and ffmpeg under the GPL', () => {
    const list = formatThirdParty({ version: '1.0.0', inside: listInside({ root: ROOT, ...writeStaged() }) });
    const parts: { name: string; license: string; text: string }[] = parseParts(list);
    expect(Object.fromEntries(parts.map(({ name, license }) => [name, license]))).toEqual({
      '@f/sans': 'OFL-1.1',
      '@ffmpeg-installer/linux-x64': 'GPL-3.0-or-later',
      ffmpeg: 'GPL-3.0-or-later',
      'ffmpeg-static': 'GPL-3.0-or-later',
      'in-bundle': 'MIT',
      node: 'MIT',
      old: 'MIT',
      outer: '(MIT OR Apache-2.0)',
    });
    expect(parts.find(({ name }) => name.startsWith('@ffmpeg'))!.text).toMatch(
      /x264[\s\S]*GNU GENERAL PUBLIC LICENSE/,
    );
    expect(parts.find(({ name }) => name === 'ffmpeg')!.text).toContain('abcabc');
    expect(parts.find(({ name }) => name === 'node')!.text).toBe('Node.js license');
  });

  it('have an SBOM without time and serial number, with the digest of each program', async () => {
    const staged = writeStaged();
    const inside = listInside({ root: ROOT, ...staged });
    const text = await formatSbom({ version: '1.0.0', inside, ...staged });
    expect(await formatSbom({ version: '1.0.0', inside, ...staged })).toBe(text);
    const { metadata, serialNumber, components } = JSON.parse(text);
    expect({ serialNumber, time: metadata.timestamp }).toEqual({});
    expect(components.map(({ purl }: { purl: string }) => purl)).toContain('pkg:npm/%40f/sans@5.0.0');
    const programs = components.filter(({ type }: { type: string }) => type === 'application');
    expect(
      programs.map(({ name, hashes }: { name: string; hashes: object[] }) => [name, hashes.length]),
    ).toEqual(
      expect.arrayContaining([
        ['node', 1],
        ['linux-x64', 1],
        ['ffmpeg', 1],
      ]),
    );
  });

  it('leave out what only developers read, never a license', () => {
    const modules = ['a/README.md', 'a/index.d.ts', 'a/index.js.map', 'a/test', '@types', 'sharp/src'];
    expect(modules.filter((name) => !isNeedless(`node_modules/${name}`))).toEqual([]);
    const licenses = ['LICENSE', 'LICENSE.md', 'license.markdown', 'NOTICE.md', 'COPYING.md', 'index.js'];
    expect(licenses.filter((name) => isNeedless(`node_modules/a/${name}`))).toEqual([]);
  });

  it('are of platforms for which sharp and ffmpeg are in the lock file', () => {
    const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
    for (const [platform, { integrity }] of Object.entries<{ integrity: string }>(PLATFORMS)) {
      expect(packages).toHaveProperty([`node_modules/@img/sharp-${platform}`, 'integrity']);
      expect(packages).toHaveProperty([`node_modules/@ffmpeg-installer/${platform}`, 'integrity']);
      expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });

  it('have an ffmpeg that is built with all decoders and containers of music', () => {
    const source = readFileSync(path.join(ROOT, 'src/media/encode/audio/decode-music.ts'), 'utf8');
    const wanted = [.../const DECODERS = \[([\s\S]*?)\n\];/.exec(source)![1]!.matchAll(/'(\w+)'/g)].map(
      ([, name]) => name!,
    );
    expect(wanted.length).toBeGreaterThan(10);
    expect(recipeOf('darwin-arm64', '7:5.1.9-0+deb12u1')).toBeNull();
    const recipes = ['linux-x64', 'linux-arm64', 'win32-x64'].map((key) =>
      recipeOf(key, '7:5.1.9-0+deb12u1'),
    );
    const words: string[] = recipes[0].ffmpeg;
    const partsOf = ({ ffmpeg }: { ffmpeg: string[] }) =>
      ffmpeg.filter((word) => /^--(?:en|dis)able-(?!cross)/.test(word));
    for (const recipe of recipes) expect(partsOf(recipe)).toEqual(partsOf(recipes[0]));
    const named = (kind: string) => words.find((word) => word.startsWith(`--enable-${kind}=`))!.split(/[=,]/);
    // The native decoders of Opus and Vorbis read the same.
    const native = wanted.filter((name) => !name.startsWith('lib'));
    expect(named('decoder')).toEqual(expect.arrayContaining(native));
    expect(named('demuxer')).toEqual(expect.arrayContaining(['mp3', 'mov', 'wav', 'flac', 'ogg']));
    expect(words).toContain('--extra-version=0+deb12u1');
  });

  it('have an icon for Windows in the sizes that it shows', async () => {
    const icon: Buffer = await makeWindowsIcon();
    const widths = Array.from({ length: icon.readUInt16LE(4) }, (_, index) => {
      const entry = 6 + 16 * index;
      const [size, start] = [icon.readUInt32LE(entry + 8), icon.readUInt32LE(entry + 12)];
      const picture = icon.subarray(start, start + size);
      expect(picture.toString('latin1', 1, 4)).toBe('PNG');
      expect(picture.readUInt32BE(16) % 256).toBe(icon[entry]);
      return picture.readUInt32BE(16);
    });
    expect(widths).toEqual([16, 24, 32, 48, 64, 256]);
  });

  it('let an assistant program see one folder only', () => {
    const { server } = bundleManifest({ version: '1.0.0', platform: 'linux', node: 'node/node' });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the assistant program fills it in.
    expect(server.mcp_config.args.slice(1)).toEqual(['mcp', '--root', '${user_config.folder}']);
  });
});
