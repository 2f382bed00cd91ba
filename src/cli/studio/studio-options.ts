/** What `studio` and `demo` have in common on the command line. */

/** Options of `studio` and `demo` beside those of settings. */
export interface StudioFlags {
  /** False: `--no-open`. */
  readonly open?: boolean;
}

/** Settings that both commands use. */
export const STUDIO_SETTINGS = [
  ...['templatesDir', 'quality', 'minAssets', 'preview', 'concurrency'],
  ...['allowAssetsFrom', 'denyAssetsFrom', 'useProxy', 'ffmpeg', 'cacheSize', 'timeLimit'],
] as const;
