/** What `--music` asks for, looked at before anything is rendered: a slip of the pen should not cost a minute. */
import path from 'node:path';
import { inspectMusic } from '../../encode/sound/inspect-music.ts';
import { listSoundtracks, soundtrackDirsOf } from '../../encode/sound/load-soundtrack.ts';
import { parseMusic } from '../../encode/sound/parse-music.ts';
import { ListingVideoError } from '../../errors.ts';
import { nearestName } from '../../nearest-name.ts';
import { usageError } from '../cli-error.ts';

export interface MusicOptions {
  /** Folder that a relative path resolves against. */
  readonly cwd: string;
  /** Folders of own templates, with `soundtracks/` in them. */
  readonly templatesDirs: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * The order as a task carries it: `none`, a soundtrack's name, or a file's absolute path.
 *
 * @throws {@link ListingVideoError} `usage` for an unknown name or an address; `input_unreadable` for a file that is not
 *   there, too large, or no music.
 */
export async function readMusicOption(
  value: string,
  { cwd, templatesDirs, signal }: MusicOptions,
): Promise<string> {
  const target = parseMusic(value);
  switch (target.kind) {
    case 'none':
      return 'none';
    case 'address':
      throw usageError(
        `--music: "${value}" is an address, and music is not fetched`,
        'download it, and name the file',
      );
    case 'name': {
      const names = await listSoundtracks(soundtrackDirsOf(templatesDirs));
      if (names.includes(target.name)) return target.name;
      const near = nearestName(target.name, names);
      throw usageError(
        `--music: no soundtrack is called "${value}"`,
        near
          ? `did you mean ${near}?`
          : `one of: ${names.join(', ')}, none, or a file such as ./${value}.mp3`,
      );
    }
    case 'path': {
      const file = path.resolve(cwd, target.path);
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
