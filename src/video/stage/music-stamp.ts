/** Names the state of a music file, so that a changed file is read again. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseMusic } from '../../media/encode/audio/parse-music.ts';

/** @param value - The `music` data layer. @returns Empty where it names no file. */
export async function musicStamp(value: string | undefined, baseDir: string | null): Promise<string> {
  const music = value === undefined || value.trim() === '' ? null : parseMusic(value);
  if (music?.kind !== 'path' || baseDir === null) return '';
  const file = path.resolve(baseDir, music.path);
  return stat(file).then(
    ({ mtimeMs, size }) => `${file} ${mtimeMs} ${size}`,
    () => file,
  );
}
