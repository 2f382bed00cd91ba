/**
 * Packs the fonts of every install into one folder of the build, so that the published program needs no font package:
 * 10 MB in place of 50. The TTF files are compressed without loss, so every glyph stays as it was; the WOFF2 slices
 * are copied. Only the build runs this.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { familyFiles } from './bundled-fonts.ts';
import { FALLBACK_FONTS } from './fallback-fonts.ts';
import { packageFolder, packageVersion, streamOf } from './font-folders.ts';
import { sliceFiles } from './font-slices.ts';
import { packStream } from './font-stream.ts';

/** Names the packages of a packed folder with their versions. */
const STAMP = 'packages.txt';
/** Raise it when packed files get another form: the stamp then differs. */
const FORM = 2;

/**
 * @param target - Folder to create, absolute.
 * @param previous - A folder that an earlier build packed; taken over when it has the same packages.
 * @throws Error when a font package is not installed.
 */
export async function packFonts(target: string, previous: string): Promise<void> {
  const wanted = filesByPackage();
  const stamp = `${[`form ${FORM}`, ...[...wanted.keys()].map(packageVersion)].join('\n')}\n`;
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
  const streams = new Map<string, Map<string, Buffer>>();
  for (const file of [...papers, ...files]) {
    const bytes = await readFile(join(folder, file));
    const stream = streamOf(file);
    if (stream === undefined) {
      await mkdir(dirname(join(target, file)), { recursive: true });
      await writeFile(join(target, file), bytes);
    } else streams.set(stream, (streams.get(stream) ?? new Map()).set(file, bytes));
  }
  await Promise.all(
    [...streams].map(async ([stream, fonts]) => writeFile(join(target, stream), await packStream(fonts))),
  );
}
