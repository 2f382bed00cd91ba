/** Shows the posters of new videos on stderr, small, in terminals that show images. A failure here changes nothing. */
import { existsSync } from 'node:fs';
import type { CommandRun } from '../command-run.ts';
import { encodeImage } from './encode-image.ts';

/** More would push the paths of the results out of sight. */
const MAX_POSTERS = 4;

/** @param files - Absolute paths of results; the poster of a video is the `.jpg` beside it. */
export async function showPosters(run: CommandRun, files: readonly string[]): Promise<void> {
  const { terminal, output } = run;
  if (!terminal.canAnimate || output.quiet || output.json) return;
  const posters = files
    .filter((file) => file.endsWith('.mp4'))
    .map((file) => file.replace(/mp4$/, 'jpg'))
    .filter((file) => existsSync(file))
    .slice(0, MAX_POSTERS);
  if (posters.length === 0) return;
  const { pictures } = await run.settings();
  if (pictures === 'none') return;
  const protocol = pictures === 'auto' ? await terminal.abilities.imageProtocol() : pictures;
  if (protocol === null) return;
  for (const poster of posters) {
    try {
      terminal.log(await encodeImage(poster, protocol));
    } catch {
      // A poster that cannot be shown is still in its folder.
    }
  }
}
