/** The work of `fonts list|add|remove`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { addFonts, type FontSource, removeFont, specOf } from '../../video/fonts/add-fonts.ts';
import {
  type FontState,
  FURTHER_FONTS,
  type FurtherFont,
  furtherFontCalled,
  listFonts,
} from '../../video/fonts/list-fonts.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { homeFolder } from '../load-settings.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';

/** `fonts list`. */
export async function printFonts(run: CommandRun): Promise<number> {
  const fonts = listFonts(await homeFolder(run.options, run.host));
  return printResult(run, { data: fonts.map(toDocument), has_more: false }, () => {
    printTable(run.terminal, fonts, [
      { title: 'FONT', text: ({ name }) => name },
      { title: 'FOR', text: ({ about }) => about, shrinks: true },
      { title: 'INSTALLED', text: (font) => placeOf(font) },
      { title: 'PACKAGE', text: ({ packageName }) => packageName, shrinks: true },
    ]);
    run.info('Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari and Thai are in the program.');
  });
}

/** `fonts add`. */
export async function installFonts(run: CommandRun): Promise<number> {
  const { cwd } = await run.host.machine();
  const home = await homeFolder(run.options, run.host);
  const asked = run.args.flatMap((word): readonly FontSource[] => sourcesCalled(word, cwd));
  const state = listFonts(home);
  const isThere = (source: FontSource) =>
    'packageName' in source &&
    state.some(
      ({ name, folder, isAdded, version }) =>
        name === source.name && folder !== null && (!isAdded || version === source.version),
    );
  const sources = [...new Set(asked)].filter((source) => !isThere(source));
  if (sources.length > 0) {
    run.info(escapeText(`installing ${sources.map(specOf).join(', ')} with npm`));
    await addFonts(sources, { home, env: run.host.env, signal: run.signal });
  }
  const names = asked.filter((source) => 'packageName' in source).map(({ name }) => name);
  const before = new Set(state.filter(({ folder }) => folder !== null).map(({ name }) => name));
  const now = listFonts(home).filter(
    ({ name, folder }) => folder !== null && (names.includes(name) || !before.has(name)),
  );
  return printResult(run, { data: now.map(toDocument), has_more: false }, () => {
    for (const font of now)
      run.terminal.print(
        escapeText(
          `${font.name}: ${before.has(font.name) ? 'was installed already' : 'installed'} (${font.about})`,
        ),
      );
  });
}

/** `fonts remove`. */
export async function deleteFonts(run: CommandRun): Promise<number> {
  const home = await homeFolder(run.options, run.host);
  const state = listFonts(home);
  const isAll = run.args.includes('all');
  const wanted = isAll
    ? state.filter(({ isAdded }) => isAdded)
    : run.args.map((word) => state.find(({ name }) => name === fontCalled(word).name)!);
  const removed = wanted.filter(({ isAdded }) => isAdded);
  for (const { packageName } of removed) await removeFont(home, packageName);
  return printResult(run, { data: removed.map(({ name }) => ({ name })), has_more: false }, () => {
    for (const font of wanted) run.terminal.print(escapeText(`${font.name}: ${removalOf(font)}`));
    if (wanted.length === 0) run.info('no font was added');
  });
}

/** What `fonts remove` did about a font that was in this state before. */
function removalOf({ folder, isAdded, packageName }: FontState): string {
  if (isAdded) return 'removed';
  if (folder === null) return 'was not installed';
  return `is not in the data folder, but at ${folder}: npm uninstall ${packageName} removes it`;
}

/** @throws ListingVideoError `usage` for a word that names no font. */
function sourcesCalled(word: string, cwd: string): readonly FontSource[] {
  if (word === 'all') return FURTHER_FONTS;
  if (!word.endsWith('.tgz')) return [fontCalled(word)];
  const tarball = path.resolve(cwd, word);
  if (!existsSync(tarball)) throw usageError(`no such file: ${word}`);
  return [{ tarball }];
}

function fontCalled(word: string): FurtherFont {
  const font = furtherFontCalled(word);
  if (font !== undefined) return font;
  const names = FURTHER_FONTS.flatMap(({ name, aliases }) => [name, ...aliases]);
  const all = `one of: ${FURTHER_FONTS.map(({ name }) => name).join(', ')}; Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari and Thai need none`;
  throw usageError(`no font is called "${word}"`, nearestHint(word.toLowerCase(), names, all));
}

function placeOf({ folder, isAdded }: FontState): string {
  if (folder === null) return 'no';
  return isAdded ? 'data folder' : 'with npm';
}

function toDocument({ name, about, packageName, version, folder, isAdded }: FontState) {
  return {
    name,
    about,
    package: packageName,
    version,
    installed: folder === null ? null : isAdded ? 'data_folder' : 'npm',
    folder,
  };
}
