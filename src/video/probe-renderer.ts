/** Probes what rendering needs on this machine, for `doctor`: the frame kernel and the font files. */
import { access, constants } from 'node:fs/promises';

/** True with WebAssembly SIMD; without it the same frames are rendered several times slower. */
export async function hasFastKernel(): Promise<boolean> {
  const { loadKernel } = await import('../render/kernel/load-kernel.ts');
  return (await loadKernel()).backend === 'wasm-simd';
}

export interface FontsProbe {
  readonly fileCount: number;
  /** Ids of the fonts whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** Optional packages that the install left out. */
  readonly absentPackages: readonly string[];
}

/** Looks for every bundled font file. */
export async function probeFonts(): Promise<FontsProbe> {
  const { absentFontPackages, bundledFonts, fontPath } = await import('../text/bundled-fonts.ts');
  const fonts = bundledFonts();
  const unreadable: string[] = [];
  for (const font of fonts) {
    await access(fontPath(font), constants.R_OK).catch(() => unreadable.push(font.id));
  }
  return { fileCount: fonts.length, unreadable, absentPackages: absentFontPackages() };
}
