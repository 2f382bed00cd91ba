/**
 * Packs the fonts of every install into one folder of the build, so that the published program needs no font package:
 * 12 MB in place of 50. The TTF files are compressed without loss, so every glyph stays as it was; the WOFF2 slices
 * are copied. Only the build runs this.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { familyFiles } from './bundled-fonts.ts';
import { FALLBACK_FONTS } from './fallback-fonts.ts';
import { packageFolder, packageVersion } from './font-folders.ts';
import { sliceFiles } from './font-slices.ts';

const compress = promisify(brotliCompress);
/** The highest quality saves 5 % more and takes 60 times as long. */
const QUALITY = 5;
/** Names the packages of a packed folder with their versions. */
const STAMP = 'packages.txt';

/**
 * @param target - Folder to create, absolute.
 * @param previous - A folder that an earlier build packed; taken over when it has the same packages.
 * @throws Error when a font package is not installed.
 */
export async function packFonts(target: string, previous: string): Promise<void> {
  const wanted = filesByPackage();
  const stamp = `${[...wanted.keys()].map(packageVersion).join('\n')}\n`;
  if ((await readFile(join(previous, STAMP), 'utf8').catch(() => null)) === stamp) {
    await cp(previous, target, { recursive: true });
    return;
  }
  for (const [name, files] of wanted) await packPackage(name, files, join(target, name));
  // Last, so that a folder that is not complete is not taken over.
  await writeFile(join(target, STAMP), stamp);
}

export function filesByPackage(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  const add = (name: string, more: readonly string[]) =>
    files.set(name, [...(files.get(name) ?? []), ...more]);
  for (const { packageName, file } of familyFiles()) add(packageName, [file]);
  for (const font of FALLBACK_FONTS) {
    if (font.isOptional) continue;
    add(font.packageName, [...(font.file === undefined ? ['unicode.json'] : []), ...sliceFiles(font)]);
  }
  return files;
}

async function packPackage(name: string, files: readonly string[], target: string): Promise<void> {
  const folder = packageFolder(name);
  if (folder === undefined) throw new Error(`cannot build: ${name} is not installed (run \`npm ci\`)`);
  // The license of the fonts goes with every copy.
  const papers = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|package\.json$)/i.test(file));
  await Promise.all(
    [...papers, ...files].map(async (file) => {
      const bytes = await readFile(join(folder, file));
      const isPacked = file.endsWith('.ttf');
      const to = join(target, isPacked ? `${file}.br` : file);
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, isPacked ? await compress(bytes, optionsFor(bytes)) : bytes);
    }),
  );
}

function optionsFor(bytes: Buffer) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  };
}
