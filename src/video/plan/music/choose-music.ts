/**
 * Chooses the music of a video: of the command line, else of the `music` data layer, else of the template, which names
 * a mood. An unusable data layer gives a warning and the template's music; unusable music of the command line is an
 * error.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { BeatGrid } from '../../../design/storyboard/timing/snap-to-beats.ts';
import { clip } from '../../../design/template/data-layers.ts';
import type { Template } from '../../../design/template/template.ts';
import { inspectMusic } from '../../../media/encode/audio/inspect-music.ts';
import {
  type LoadedSoundtrack,
  listSoundtracks,
  listVariants,
  loadSoundtrack,
} from '../../../media/encode/audio/load-soundtrack.ts';
import type { Music } from '../../../media/encode/audio/music.ts';
import { parseMusic } from '../../../media/encode/audio/parse-music.ts';
import { type AllowedFolders, pathToRead } from '../../../platform/disk/allowed-folders.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { nearestName } from '../../../platform/nearest-name.ts';
import type { FindMusicBeats } from './music-beats.ts';

export interface ChosenMusic {
  readonly music: Music;
  /** `none`, a soundtrack's name, or a file's without its folder. */
  readonly name: string;
  /** Title of a soundtrack; null for silence and files. */
  readonly title: string | null;
  /**
   * For scene changes to fall on. Silence, and a file in which none are found, have those of the template's own music;
   * null without any.
   */
  readonly beats: BeatGrid | null;
  /** Sentences for the report. */
  readonly warnings: readonly string[];
  /** Used when the file cannot be decoded; null when that is an error. */
  readonly fallback: ChosenMusic | null;
}

/** Beats a minute of a music file that scene changes follow; null for other music. */
export function tempoOfFile({ music }: Pick<ChosenMusic, 'music'>): number | null {
  return music.kind === 'file' ? (music.beats?.bpm ?? null) : null;
}

/** Names the contents of the user's own music; null for other music. */
export function ownMusicDigest({ music }: Pick<ChosenMusic, 'music'>): string | null {
  if (music.kind === 'file') return music.file.digest;
  return music.kind === 'soundtrack' && !music.loaded.isBuiltIn ? music.loaded.digest : null;
}

export interface MusicChooser {
  /**
   * @param layer - The `music` data layer as the client sent it.
   * @param listingId - Decides which of its mood's soundtracks a listing gets, all agents the same.
   * @throws {@link ListingVideoError} `music_unusable` for unusable music of the command line; the signal's reason.
   */
  choose(
    template: Pick<Template, 'music'>,
    layer: string | undefined,
    listingId: string,
  ): Promise<ChosenMusic>;
}

export interface MusicContext {
  /** Music of the command line for every video; a path is absolute. */
  readonly override: string | undefined;
  /** Folder that a layer's relative path resolves against; null forbids files. */
  readonly baseDir: string | null;
  /** The layer comes from a stranger: its file must be inside `baseDir`. */
  readonly isUntrusted?: boolean;
  /** The only folders that files can be in; absent: every folder. */
  readonly folders?: AllowedFolders | undefined;
  /** Folders of the user's soundtracks, searched before the built-in one. */
  readonly soundtrackDirs?: readonly string[];
  /** Absent: files count as music without beats. */
  readonly findBeats?: FindMusicBeats;
  readonly signal?: AbortSignal | undefined;
}

type Found = { readonly chosen: Omit<ChosenMusic, 'warnings' | 'fallback'> } | { readonly problem: string };

const SILENCE: Omit<ChosenMusic, 'warnings' | 'fallback'> = {
  music: { kind: 'none' },
  name: 'none',
  title: null,
  beats: null,
};

/** A chooser for one run: reads each soundtrack and file once. */
export function createMusicChooser(context: MusicContext): MusicChooser {
  const { override, soundtrackDirs: dirs = [] } = context;
  const found = new Map<string, Promise<Found>>();
  const find = (value: string, baseDir = context.baseDir): Promise<Found> => {
    const known = found.get(value) ?? findMusic(value, { ...context, baseDir }, dirs);
    found.set(value, known);
    return known;
  };
  const findOwn = async ({ music }: Pick<Template, 'music'>, listingId: string): Promise<ChosenMusic> => {
    const target = parseMusic(music ?? 'none');
    const name = target.kind === 'name' ? await variantOf(target.name, listingId, dirs) : (music ?? 'none');
    const own = await find(name);
    if ('chosen' in own) return { ...own.chosen, warnings: [], fallback: null };
    const warning = `the template's music: ${own.problem}; the video has no music`;
    return { ...SILENCE, warnings: [warning], fallback: null };
  };

  return {
    async choose(template, layer, listingId) {
      const own = await findOwn(template, listingId);
      const withBeats = (chosen: Extract<Found, { chosen: unknown }>['chosen']) => ({
        ...chosen,
        beats: chosen.beats ?? own.beats,
      });
      if (override !== undefined) {
        // Its path is absolute, so any folder works.
        const given = await find(override, path.sep);
        if ('problem' in given) throw unusable(override, given.problem);
        return { ...withBeats(given.chosen), warnings: [], fallback: null };
      }
      const value = layer?.trim() ?? '';
      if (value === '') return own;
      const given = await find(value);
      if ('chosen' in given) return { ...withBeats(given.chosen), warnings: [], fallback: own };
      const warning = `template data "music": ${given.problem}; "${own.name}" is used`;
      return { ...own, warnings: [warning, ...own.warnings] };
    },
  };
}

/** One of the mood's soundtracks, by the listing, so that an office's videos do not all share a song. */
async function variantOf(mood: string, listingId: string, dirs: readonly string[]): Promise<string> {
  const names = await listVariants(mood, dirs);
  const hash = createHash('sha256').update(listingId).digest().readUInt32BE(0);
  return names[hash % names.length] ?? mood;
}

async function findMusic(
  value: string,
  { baseDir, signal, isUntrusted, folders, findBeats }: MusicContext,
  dirs: readonly string[],
): Promise<Found> {
  const target = parseMusic(value);
  switch (target.kind) {
    case 'none':
      return { chosen: SILENCE };
    case 'address':
      return { problem: `"${clip(value)}" is a URL, and music is not downloaded: name a file` };
    case 'path': {
      if (baseDir === null) return { problem: `"${clip(value)}" is a file, and only create can read files` };
      const wanted = path.resolve(baseDir, target.path);
      const allowed = pathToRead(wanted, isUntrusted === true ? baseDir : null, folders);
      if (allowed === null) return { problem: `"${clip(value)}" is outside the folder of the listing` };
      const inspected = await inspectMusic(allowed, signal);
      if ('problem' in inspected) return { problem: `"${clip(value)}" cannot be used: ${inspected.problem}` };
      const { file } = inspected;
      const beats = (await findBeats?.(file)) ?? null;
      return {
        chosen: {
          music: { kind: 'file', file, beats },
          name: file.name,
          title: null,
          // Which beats begin a bar is not known.
          beats: beats && { ...beats, beatsPerBar: 1 },
        },
      };
    }
    case 'name':
      return findSoundtrack(target.name, dirs);
  }
}

async function findSoundtrack(name: string, dirs: readonly string[]): Promise<Found> {
  let loaded: LoadedSoundtrack | undefined;
  try {
    loaded = await loadSoundtrack(name, dirs);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `the soundtrack "${name}" is damaged (${reason})` };
  }
  if (loaded) {
    const { title, bpm, beatsPerBar } = loaded.soundtrack;
    return {
      chosen: { music: { kind: 'soundtrack', loaded }, name, title, beats: { bpm, beatsPerBar } },
    };
  }
  const names = await listSoundtracks(dirs);
  const near = nearestName(name, names);
  const moods = names.filter((known) => !/-\d+$/.test(known));
  const known = near ? `did you mean "${near}"?` : `there are ${moods.join(', ')}, none, or a file`;
  return { problem: `no soundtrack is called "${clip(name)}", ${known}` };
}

function unusable(music: string, problem: string): ListingVideoError {
  return new ListingVideoError('music_unusable', `--music: ${problem}`, {
    hint: 'name a soundtrack, a file (MP3, M4A, WAV, FLAC or Ogg), or none',
    context: { music },
  });
}
