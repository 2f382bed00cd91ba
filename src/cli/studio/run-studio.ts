/** The work of `studio`: opens it, prints its address, opens the browser, and waits for the signal to end. */
import { countWords } from '../../listing/words/count-words.ts';
import type { StudioRequest } from '../../wiring/open-studio.ts';
import { type CommandRun, type GlobalOptions, taskLoggerOf } from '../command-run.ts';
import { formatSkipped } from '../listings/format-skipped.ts';
import { aborted } from '../serve/service-options.ts';
import { requireTemplatesDir } from '../templates/find-template.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { findListing, nothingToEdit } from './find-listing.ts';
import { fileShower, openBrowser } from './open-browser.ts';
import type { StudioFlags } from './studio-options.ts';

/** Runs the command; returns its exit code: 0 also when a signal ended it, as that is how the studio ends. */
export async function runStudio(run: CommandRun<StudioFlags>): Promise<number> {
  const { cwd } = await run.host.machine();
  return serveStudio(run, await findListing(run.args[0], cwd));
}

/** Opens the studio on `place`, and ends with it. */
export async function serveStudio(
  given: CommandRun<StudioFlags>,
  place: StudioRequest['place'],
): Promise<number> {
  // A server draws no frames for an editor, so this machine renders.
  const run = given.follow<StudioFlags>(given.args, { ...given.options, server: false } as GlobalOptions);
  await requireTemplatesDir(run);
  const { terminal, output, signal, host } = run;
  const { port } = await run.resolvedSettings();
  const settings = await run.settings();
  const studio = await host.openStudio(settings, {
    place,
    // A port that was set for `serve` is not meant.
    port: port.source === 'flag' ? port.value : 0,
    env: host.env,
    logger: await taskLoggerOf(run),
    nowMs: host.nowMs,
    signal,
    openBackend: host.openBackend,
    showFile: fileShower(host.env),
  });
  if (studio === null) throw nothingToEdit(place, (await host.machine()).cwd);
  try {
    const { url, listingFile, first } = studio;
    if (first !== null && !output.json) {
      run.info(`wrote ${escapeText(listingFile)} with ${countWords(first.photoCount, 'photo')}`);
      for (const line of formatSkipped(first.skipped)) run.info(line);
    }
    if (output.json) printJson(terminal, { url, listing_file: listingFile });
    else terminal.print(url);
    run.info('press Ctrl-C to stop');
    const mayOpen = run.options.open !== false && !output.json && terminal.stdoutIsTty;
    if (mayOpen) openBrowser(studio.urlToOpen, host.env);
    await aborted(signal);
    return 0;
  } finally {
    await studio.close();
  }
}
