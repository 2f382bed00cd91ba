/** The options of every task of one `create`: settings, `--data`, `--also-unbranded`, `--force`, `--clean`. */
import type { Settings } from '../../platform/settings/setting-table.ts';
import { toPlaceOptions } from '../../video/destinations/destination-table.ts';
import { toLengthOptions } from '../../video/plan/for-lengths.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';
import { usageError } from '../cli-error.ts';
import type { CreateOptions } from './create-options.ts';

/** @throws ListingVideoError `usage` for an invalid `--data`; as `readMusicOption`. */
export async function readTaskOptions(
  options: CreateOptions,
  settings: Settings,
  place: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<VideoTaskOptions> {
  const { ratio, alsoRatio, preview, quality, minAssets, music, untrusted } = settings;
  const data = parseData(options.data);
  requireOneLength(data, options);
  return {
    templateId: settings.template,
    ...toLengthOptions(settings.length, data),
    // Loaded only for `--music`: it reads audio files.
    music: music && (await (await import('./read-music-option.ts')).readMusicOption(music, settings, place)),
    ratio,
    alsoRatio,
    preview,
    alsoUnbranded: options.alsoUnbranded,
    ...toPlaceOptions(settings.for),
    unbrandedKeep: settings.unbrandedKeep,
    quality,
    minAssets,
    force: options.force === true,
    ...(options.clean === true ? { clean: true } : {}),
    ...(untrusted ? { untrusted: true } : {}),
  };
}

/** What the command line says as data is nearer than a saved length. */
function requireOneLength(data: Record<string, string> | undefined, { length }: CreateOptions): void {
  if (data?.length !== undefined && length)
    throw usageError('--length and --data length= say the same', `leave out --data length=${data.length}`);
}

/** `key=value` words; of a repeated key the last value counts. @throws ListingVideoError `usage`. */
export function parseData(words: readonly string[] | undefined): Record<string, string> | undefined {
  if (words === undefined) return undefined;
  const entries = words.map((word) => {
    const at = word.indexOf('=');
    if (at < 1)
      throw usageError(`--data: expected key=value, found "${word}"`, `--data headline="Open house"`);
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
  return Object.fromEntries(entries);
}
