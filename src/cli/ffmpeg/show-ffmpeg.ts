/** The work of `ffmpeg show`. */
import type { CommandRun } from '../command-run.ts';
import { ffmpegOf, formatFfmpeg, OLD_FFMPEG } from '../doctor/check-ffmpeg.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';

/** @throws ListingVideoError `ffmpeg_missing` with all candidates. */
export async function showFfmpeg(run: CommandRun): Promise<number> {
  const found = await ffmpegOf(await run.resolvedSettings(), { env: run.host.env, signal: run.signal });
  const { path, version, year, source, encoders, decodesMusic, candidates } = found;
  const document = { path, version, year, source, encoders, decodes_music: decodesMusic, candidates };
  return printResult(run, document, () => {
    run.terminal.print(escapeText(formatFfmpeg(found)));
    for (const { path: file, source: from, verdict } of candidates)
      if (verdict !== 'usable') run.terminal.print(escapeText(`not used: ${file}, from ${from}: ${verdict}`));
    if (!decodesMusic) run.info(OLD_FFMPEG);
  });
}
