/** The options of every task of one `create`: settings, `--data`, `--length`, `--also-unbranded`, `--force`, `--clean`. */
import { LENGTH_FORMS, parseVideoLength } from '../../listing/words/video-length.ts';
import type { Settings } from '../../platform/settings/setting-table.ts';
import { toPlaceOptions } from '../../video/destinations/destination-table.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';
import { usageError } from '../cli-error.ts';
import type { CreateOptions } from './create-options.ts';

/** @throws ListingVideoError `usage` for an invalid `--data` or `--length`; as `readMusicOption`. */
export async function readTaskOptions(
  options: CreateOptions,
  settings: Settings,
  place: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<VideoTaskOptions> {
  const { ratio, alsoRatio, preview, quality, minAssets, music, untrusted } = settings;
  return {
    templateId: settings.template,
    templateData: withLength(parseData(options.data), options.length),
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

type Data = Record<string, string> | undefined;

function withLength(data: Data, length: string | undefined): Data {
  if (length === undefined) return data;
  if (parseVideoLength(length) === null)
    throw usageError(`--length: expected ${LENGTH_FORMS}, found "${length}"`, '--length 30s');
  if (data?.length !== undefined)
    throw usageError('--length and --data length= say the same', `leave out --data length=${data.length}`);
  return { ...data, length };
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
