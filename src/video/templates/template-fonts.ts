/**
 * Loads the fonts of users' own templates: reads the files, checks them, and names the families in the template's
 * styles by the keys that the text layer draws with.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type FormatFault, templateInvalid } from '../../design/template/check-template.ts';
import { FONTS_FOLDER, fontFileNames } from '../../design/template/font-files.ts';
import { toJsonPath } from '../../design/template/json-path.ts';
import {
  createTemplateCache,
  type FoundTemplate,
  readTemplate,
  type TemplateCache,
  type TemplateFolders,
} from '../../design/template/load-template.ts';
import type { OwnFamily, Template } from '../../design/template/template.ts';
import { type OwnFace, registerFamily } from '../../design/text/fonts/own-fonts.ts';
import { readFontFile } from '../../design/text/fonts/read-font-file.ts';
import { errnoOf } from '../../platform/disk/disk-error.ts';
import { namesIn } from '../../platform/disk/folder.ts';
import { realPathInside } from '../../platform/disk/path-inside.ts';
import { nearestName } from '../../platform/nearest-name.ts';

/** The largest fonts of one script have 2 MB, those of Chinese 10 to 20. */
const MAX_FONT_BYTES = 24 << 20;
const MAX_TEMPLATE_BYTES = 64 << 20;
/** Of a file, on every usual file system. */
const MAX_NAME_BYTES = 255;

/** The templates of one run, each read once, with its own fonts. @throws As {@link TemplateCache}. */
export function openTemplates(folders: TemplateFolders): TemplateCache {
  return createTemplateCache(folders, bindFonts);
}

async function bindFonts(template: Template, { file }: FoundTemplate): Promise<Template> {
  if (template.fonts === undefined) return template;
  const { families, faults } = await readFamilies(template.fonts, path.dirname(file));
  if (faults.length > 0) {
    const { placeFaults } = await import('../../design/template/place-faults.ts');
    throw templateInvalid(file, faults, placeFaults(faults.slice(0, 1), await readFile(file, 'utf8'))[0]);
  }
  const keys = new Map(families.map((family) => [family.name, registerFamily(family)]));
  const bind = <Style extends { readonly family?: string }>(style: Style): Style => {
    const key = style.family === undefined ? undefined : keys.get(style.family);
    return key === undefined ? style : { ...style, family: key };
  };
  const ratios = Object.entries(template.ratios).map(([ratio, design]) => {
    const styles = Object.entries(design.styles).map(([name, style]) => [name, bind(style)] as const);
    return [ratio, { ...design, styles: Object.fromEntries(styles) }];
  });
  const { fileDigest = '' } = template;
  const contents = createHash('sha256').update([fileDigest, ...keys.values()].join('\n'));
  return {
    ...template,
    fileDigest: contents.digest('hex'),
    styleDefaults: bind(template.styleDefaults),
    ratios: Object.fromEntries(ratios) as Template['ratios'],
  };
}

/**
 * Every fault of a template's own fonts, in the file that names them: a file that is missing or damaged, two files for
 * one weight, a font that cannot be drawn with.
 *
 * @throws As `readTemplate`.
 */
export async function findFontFaults(place: FoundTemplate): Promise<readonly FormatFault[]> {
  const { template } = await readTemplate(place);
  if (template.fonts === undefined) return [];
  const { families, faults } = await readFamilies(template.fonts, path.dirname(place.file));
  if (faults.length > 0) return faults;
  const { unusableFaces } = await import('../../design/text/fonts/try-family.ts');
  return families.flatMap((family) =>
    unusableFaces(registerFamily(family)).map((index) => ({
      path: toJsonPath(['fonts', family.name, 'files', index]),
      problem: `names ${family.faces[index]!.file}, which cannot be drawn with: save it again with a font editor`,
    })),
  );
}

/**
 * Copies the fonts of a template beside another one. A file that cannot be read is left out: `templates validate` says
 * why.
 *
 * @param from - Folder of the template. @param to - Folder of the new one, which has no fonts yet.
 */
export async function copyFonts(template: Template, from: string, to: string): Promise<void> {
  for (const name of fontFileNames(template)) {
    const bytes = await readBytes(from, name);
    if (!Buffer.isBuffer(bytes)) continue;
    await mkdir(path.join(to, FONTS_FOLDER), { recursive: true });
    await writeFile(path.join(to, FONTS_FOLDER, name), bytes, { flag: 'wx' });
  }
}

export interface ReadFamily {
  readonly name: string;
  readonly fallback: 'sans' | 'serif';
  readonly faces: readonly (OwnFace & { readonly familyName: string | null })[];
}

/**
 * Reads all files of all families.
 *
 * @param folder - Of the template; nothing outside it is read.
 * @returns Only families without faults can be drawn with.
 */
export async function readFamilies(
  fonts: NonNullable<Template['fonts']>,
  folder: string,
): Promise<{ readonly families: readonly ReadFamily[]; readonly faults: readonly FormatFault[] }> {
  const families: ReadFamily[] = [];
  const faults: FormatFault[] = [];
  let freeBytes = MAX_TEMPLATE_BYTES;
  for (const [name, { files, fallback = 'sans' }] of Object.entries(fonts)) {
    const faces: ReadFamily['faces'][number][] = [];
    for (const [index, entry] of files.entries()) {
      const read = await readFace(entry, folder, freeBytes);
      const clash = 'problem' in read ? undefined : faces.find((face) => isSameCut(face, read));
      const problem = 'problem' in read ? read.problem : clash && clashOf(read, clash);
      if (problem !== undefined) faults.push({ path: toJsonPath(['fonts', name, 'files', index]), problem });
      if ('problem' in read) continue;
      freeBytes -= read.openType.length;
      faces.push(read);
    }
    families.push({ name, fallback, faces });
  }
  return { families, faults };
}

type FaceOrProblem = ReadFamily['faces'][number] | { readonly problem: string };

async function readFace(
  entry: OwnFamily['files'][number],
  folder: string,
  freeBytes: number,
): Promise<FaceOrProblem> {
  const given = typeof entry === 'string' ? { file: entry } : entry;
  const file = `${FONTS_FOLDER}/${shorten(given.file)}`;
  const bytes = await readBytes(folder, given.file);
  if (!Buffer.isBuffer(bytes)) return { problem: `names ${file}, which ${bytes.problem}` };
  const font = readFontFile(bytes);
  if ('problem' in font) return { problem: `names ${file}, which ${font.problem}` };
  if (font.openType.length > freeBytes)
    return {
      problem: `names ${file}, with which the fonts of the template have more than ${MAX_TEMPLATE_BYTES >> 20} MB`,
    };
  const { weight, italic } = { weight: undefined, italic: undefined, ...given };
  return {
    ...font,
    file,
    ...(weight === undefined ? {} : { minWeight: weight, maxWeight: weight }),
    ...(italic === undefined ? {} : { isItalic: italic }),
  };
}

/** A long name as messages show it: its beginning, and its ending, which says what it is. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= 60) return name;
  return `${characters.slice(0, 40).join('')}…${characters.slice(-16).join('')}`;
}

/** The bytes, or what is wrong: continues "which". */
async function readBytes(folder: string, name: string): Promise<Buffer | { readonly problem: string }> {
  const fontsFolder = path.join(folder, FONTS_FOLDER);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return { problem: 'has too long a name: rename the file' };
  try {
    const real = realPathInside(folder, path.join(FONTS_FOLDER, name));
    if (real === null)
      return { problem: 'is a link out of the folder of the template: copy the file itself' };
    // Without O_NONBLOCK a named pipe would keep the program waiting.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { size } = await handle.stat().then((stat) => (stat.isFile() ? stat : { size: -1 }));
      if (size < 0) return { problem: 'is not a file' };
      if (size > MAX_FONT_BYTES)
        return {
          problem: `has ${Math.ceil(size / (1 << 20))} MB, and a font can have ${MAX_FONT_BYTES >> 20} MB`,
        };
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await handle.read(bytes, 0, size, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      return { problem: `cannot be read (${code || 'unknown error'}): check its rights` };
    const near = nearestName(name, await namesIn(fontsFolder).catch(() => []));
    return {
      problem: `does not exist: ${near === undefined ? 'copy the file there' : `did you mean ${near}?`}`,
    };
  }
}

function isSameCut(a: OwnFace, b: OwnFace): boolean {
  return a.isItalic === b.isItalic && a.minWeight <= b.maxWeight && b.minWeight <= a.maxWeight;
}

/** Many fonts call every weight 400. */
function clashOf(face: OwnFace, before: OwnFace): string {
  const slope = face.isItalic ? 'italic' : 'upright';
  const weight = Math.max(face.minWeight, before.minWeight);
  return `names ${face.file}, which draws weight ${weight} ${slope} as ${before.file} does: say what it draws, as in {"file": "${path.basename(face.file)}", "weight": 700, "italic": false}`;
}
