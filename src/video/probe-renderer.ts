/** Probes what rendering needs on this machine, for `doctor`: the frame kernel and the font files. */
import { access, constants } from 'node:fs/promises';

/** @throws {@link ListingVideoError} `render_failed` when no frame can be drawn here. */
export async function probeKernel(): Promise<void> {
  const { loadKernel } = await import('../media/render/kernel/load-kernel.ts');
  await loadKernel();
}

export interface FontsProbe {
  readonly fileCount: number;
  /** Ids of the fonts whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** Names of the fonts for further scripts that this machine lacks, as in `listing-video fonts add ja`. */
  readonly absent: readonly string[];
}

/** Looks for every bundled font file, and for the fonts that can be added. @param home - The data folder, absolute. */
export async function probeFonts(home: string): Promise<FontsProbe> {
  const [{ bundledFonts, fontPath }, { listFonts }] = await Promise.all([
    import('../design/text/fonts/bundled-fonts.ts'),
    import('./fonts/list-fonts.ts'),
  ]);
  const fonts = bundledFonts();
  const unreadable: string[] = [];
  for (const font of fonts) {
    await access(fontPath(font), constants.R_OK).catch(() => unreadable.push(font.id));
  }
  const absent = listFonts(home).flatMap(({ name, folder }) => (folder === null ? [name] : []));
  return { fileCount: fonts.length, unreadable, absent };
}
