/** Checks `--music` before rendering: a typing error should not cost a minute. */
import path from 'node:path';
import { inspectMusic } from '../../media/encode/audio/inspect-music.ts';
import { listSoundtracks, soundtrackDirsOf } from '../../media/encode/audio/load-soundtrack.ts';
import { parseMusic } from '../../media/encode/audio/parse-music.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { type Settings, templatesDirsOf } from '../../platform/settings/setting-table.ts';
import { nearestHint, usageError } from '../cli-error.ts';

/**
 * The value for a task: `none`, a soundtrack's name, or a file's absolute path.
 *
 * @throws {@link ListingVideoError} `usage` for an unknown name or an address; `input_unreadable` for a file that is
 * missing, too large, or not music.
 */
export async function readMusicOption(
  value: string,
  settings: Settings,
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<string> {
  const music = parseMusic(value);
  switch (music.kind) {
    case 'none':
      return 'none';
    case 'address':
      throw usageError(
        `--music: "${value}" is an address, and music cannot be fetched`,
        'download it and name the file',
      );
    case 'name': {
      const names = await listSoundtracks(soundtrackDirsOf(templatesDirsOf(settings)));
      if (names.includes(music.name)) return music.name;
      const otherwise = `one of: ${names.join(', ')}, none, or a file such as ./${value}.mp3`;
      throw usageError(
        `--music: no soundtrack is called "${value}"`,
        nearestHint(music.name, names, otherwise),
      );
    }
    case 'path': {
      const file = path.resolve(cwd, music.path);
      const found = await inspectMusic(file, signal);
      if ('file' in found) return file;
      throw new ListingVideoError(
        'input_unreadable',
        `--music: "${value}" cannot be used: ${found.problem}`,
        {
          hint: 'name an MP3, M4A, WAV, FLAC or Ogg file, a soundtrack, or none',
          context: { path: file },
        },
      );
    }
  }
}
