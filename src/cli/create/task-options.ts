/** The options that every task of one `create` gets: settings, `--data`, `--also-unbranded`, `--force` and `--clean`. */
import type { Settings } from '../../platform/settings/setting-table.ts';
import type { VideoTaskOptions } from '../../video/video-task.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import type { CreateOptions } from './create-options.ts';

/**
 * @param music - The setting as `readMusicOption` resolved it; undefined when there is none.
 * @throws ListingVideoError `usage` for a `--data` that is not `key=value`.
 */
export function toTaskOptions(options: CreateOptions, settings: Settings, music?: string): VideoTaskOptions {
  return {
    templateId: settings.template,
    templateData: parseData(options.data),
    music,
    ratio: settings.ratio,
    alsoRatio: settings.alsoRatio,
    preview: settings.preview,
    alsoUnbranded: options.alsoUnbranded,
    quality: settings.quality,
    minAssets: settings.minAssets,
    force: options.force === true,
    ...(options.clean === true ? { clean: true } : {}),
    ...(settings.untrusted ? { untrusted: true } : {}),
  };
}

/**
 * {@link toTaskOptions} of a command.
 *
 * @throws ListingVideoError As `toTaskOptions` and `readMusicOption`.
 */
export async function readTaskOptions(run: CommandRun<CreateOptions>): Promise<VideoTaskOptions> {
  const settings = await run.settings();
  // Loaded only for `--music`: it reads audio files.
  const load = () => import('./read-music-option.ts');
  const music = settings.music && (await (await load()).readMusicOption(run, settings.music));
  return toTaskOptions(run.options, settings, music);
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
