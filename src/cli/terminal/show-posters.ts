/** Shows the posters of new videos on stderr, small, in terminals that show pictures. Never a reason to fail. */
import { existsSync } from 'node:fs';
import type { CommandRun } from '../command-run.ts';
import type { PictureProtocol } from './terminal.ts';

/** More would push the paths of the results out of sight. */
const MOST_POSTERS = 4;

/** @param files - Absolute paths of results; the poster of a video lies beside it. */
export async function showPosters(run: CommandRun, files: readonly string[]): Promise<void> {
  const { terminal, output } = run;
  if (!terminal.mayAnimate || output.quiet || output.json) return;
  const posters = files
    .filter((file) => file.endsWith('.mp4'))
    .map((file) => file.replace(/mp4$/, 'jpg'))
    .filter((file) => existsSync(file))
    .slice(0, MOST_POSTERS);
  if (posters.length === 0) return;
  const { pictures } = await run.settings();
  const protocol = await protocolFor(pictures, run);
  if (protocol === null) return;
  const { encodePicture } = await import('./encode-image.ts');
  for (const poster of posters) {
    try {
      terminal.note(await encodePicture(poster, protocol));
    } catch {
      // A poster that cannot be shown is still in its folder.
    }
  }
}

async function protocolFor(
  pictures: 'auto' | 'none' | PictureProtocol,
  run: CommandRun,
): Promise<PictureProtocol | null> {
  if (pictures === 'none') return null;
  return pictures === 'auto' ? run.terminal.abilities.pictureProtocol() : pictures;
}
