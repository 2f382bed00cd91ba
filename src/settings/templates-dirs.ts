/** Where own templates lie, as those who look for templates want it: folders that are searched before the built-in one. */
import type { Settings } from './setting-table.ts';

export function templatesDirsOf({ templatesDir }: Pick<Settings, 'templatesDir'>): string[] {
  return templatesDir === undefined ? [] : [templatesDir];
}
