/** What `studio` and `demo` have in common on the command line. */
import { Option } from 'commander';

/** Options of `studio` and `demo` beside those of settings. */
export interface StudioFlags {
  /** False: `--no-open`. */
  readonly open?: boolean;
  readonly untilClosed?: boolean;
}

export const studioFlags = (): Option[] => [
  new Option('--no-open', 'do not open the browser: print the address only'),
  new Option(
    '--until-closed',
    'stop when the last page has been closed for a minute, and nothing is rendered',
  ),
];

/** Settings that both commands use. */
export const STUDIO_SETTINGS = [
  ...['templatesDir', 'quality', 'minAssets', 'preview', 'concurrency'],
  ...['allowAssetsFrom', 'denyAssetsFrom', 'useProxy', 'ffmpeg', 'cacheSize', 'timeLimit'],
] as const;
