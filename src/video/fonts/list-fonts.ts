/** Says which fonts for further scripts this machine has, and where. */
import { join } from 'node:path';
import {
  addedFontsFolder,
  packageFolder,
  readVersion,
  useAddedFonts,
} from '../../design/text/fonts/font-folders.ts';
import { FURTHER_FONTS, type FurtherFont } from '../../design/text/fonts/further-fonts.ts';

export { FURTHER_FONTS, type FurtherFont, furtherFontCalled } from '../../design/text/fonts/further-fonts.ts';

export interface FontState extends Pick<FurtherFont, 'name' | 'about' | 'packageName'> {
  /** The installed version; without one, the version that would be installed. */
  readonly version: string;
  /** Absolute folder of the package; null when it is not installed. */
  readonly folder: string | null;
  /** It is in the data folder, so `fonts remove` removes it. Otherwise npm installed it beside the program. */
  readonly isAdded: boolean;
}

/** All fonts that can be added, in the order of the table. @param home - The data folder, absolute. */
export function listFonts(home: string): FontState[] {
  const added = addedFontsFolder(home);
  useAddedFonts(added);
  return FURTHER_FONTS.map(({ name, about, packageName, version }) => {
    const folder = packageFolder(packageName) ?? null;
    return {
      name,
      about,
      packageName,
      version: folder === null ? version : readVersion(folder),
      folder,
      isAdded: folder === join(added, 'node_modules', packageName),
    };
  });
}
