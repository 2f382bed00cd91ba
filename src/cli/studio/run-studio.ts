/** The work of `studio`: opens it, prints its address, opens the browser, and waits for the signal to end. */

import path from 'node:path';
import { countWords } from '../../listing/words/count-words.ts';
import { exists } from '../../platform/disk/folder.ts';
import type { OpenedStart, StartRequest } from '../../wiring/open-start.ts';
import type { OpenedStudio, StudioRequest } from '../../wiring/open-studio.ts';
import { type CommandRun, type GlobalOptions, taskLoggerOf } from '../command-run.ts';
import { copySample } from '../demo/copy-sample.ts';
import { formatSkipped } from '../listings/format-skipped.ts';
import { aborted } from '../serve/service-options.ts';
import { requireTemplatesDir } from '../templates/find-template.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { findListing, nothingToEdit } from './find-listing.ts';
import { importForPage } from './import-for-page.ts';
import { fileShower, openBrowser } from './open-browser.ts';
import type { StudioFlags } from './studio-options.ts';

/** Runs the command; returns its exit code: 0 also when a signal ended it, as that is how the studio ends. */
export async function runStudio(run: CommandRun<StudioFlags>): Promise<number> {
  const { cwd } = await run.host.machine();
  const [word] = run.args;
  return word === undefined ? serveStart(run) : serveStudio(run, await findListing(word, cwd));
}

/** Opens the studio on `place`, and ends with it. */
export async function serveStudio(
  given: CommandRun<StudioFlags>,
  place: StudioRequest['place'],
): Promise<number> {
  const run = await onThisMachine(given);
  const { host, output, terminal } = run;
  const studio = await host.openStudio(await run.settings(), { ...(await requestOf(run)), place });
  if (studio === null) throw nothingToEdit(place, (await host.machine()).cwd);
  const isForPeople = run.options.open !== false && !output.json && terminal.stdoutIsTty;
  if ('other' in studio) return openOther(run, studio.other, 'the listing is open already', isForPeople);
  const { first, listingFile } = studio;
  if (first !== null && !output.json) {
    run.info(`wrote ${escapeText(listingFile)} with ${countWords(first.photoCount, 'photo')}`);
    if (first.leftOut.length > 0)
      run.info(
        `the listing is full: on the page, ${countWords(first.leftOut.length, 'more photo')} can be brought in`,
      );
    for (const line of formatSkipped(first.skipped)) run.info(line);
  }
  const showing = { mayOpen: isForPeople, endsWithPages: false };
  return show(run, studio, showing, { listing_file: listingFile });
}

/** Opens the start page, and ends with it. Where it runs already, opens one more page of it and ends. */
async function serveStart(given: CommandRun<StudioFlags>): Promise<number> {
  const run = await onThisMachine(given);
  const { host, output } = run;
  const { homeDir, cwd } = await host.machine();
  const { out } = await run.resolvedSettings();
  const start = await host.openStart(await run.settings(), {
    ...(await requestOf(run)),
    homeDir,
    out: out.source === 'default' ? null : out.value,
    importFile: (name, bytes, folder) => importForPage(run, { name, bytes, folder }),
    copySample: (folder) => copySample(folder, folder),
  });
  if (await exists(path.join(cwd, 'listing.json')))
    run.info('to edit listing.json of this folder: listing-video studio .');
  // A menu or a desktop icon has no terminal.
  const isForPeople = run.options.open !== false && !output.json;
  if (!('other' in start)) return show(run, start, { mayOpen: isForPeople, endsWithPages: true });
  return openOther(run, start.other, 'the studio runs already', isForPeople);
}

/** Opens one more page of the server that runs. */
function openOther(run: CommandRun<StudioFlags>, url: string, why: string, isForPeople: boolean): number {
  const { host, terminal, output } = run;
  if (output.json) printJson(terminal, { url });
  else terminal.print(url);
  run.info(`${why}: this address opens a page of it, once`);
  if (isForPeople) openBrowser(url, host.env);
  return 0;
}

interface Showing {
  readonly mayOpen: boolean;
  /** Without `--until-closed` too, once the browser was opened. */
  readonly endsWithPages: boolean;
}

async function show(
  run: CommandRun<StudioFlags>,
  opened: Pick<OpenedStudio | OpenedStart, 'url' | 'urlToOpen' | 'closed' | 'close'>,
  { mayOpen, endsWithPages }: Showing,
  facts: object = {},
): Promise<number> {
  const { host, terminal, output, signal, options } = run;
  try {
    if (output.json) printJson(terminal, { url: opened.url, ...facts });
    else terminal.print(opened.url);
    run.info('press Ctrl-C to stop');
    const isOpened = mayOpen && openBrowser(opened.urlToOpen, host.env);
    const isUntilClosed = options.untilClosed === true || (endsWithPages && isOpened);
    await Promise.race([aborted(signal), ...(isUntilClosed ? [opened.closed] : [])]);
    return 0;
  } finally {
    await opened.close();
  }
}

/** A server draws no frames for an editor, so this machine renders. */
async function onThisMachine(given: CommandRun<StudioFlags>): Promise<CommandRun<StudioFlags>> {
  const run = given.follow<StudioFlags>(given.args, { ...given.options, server: false } as GlobalOptions);
  await requireTemplatesDir(run);
  return run;
}

async function requestOf(
  run: CommandRun<StudioFlags>,
): Promise<Omit<StudioRequest, 'place'> & Pick<StartRequest, 'signal'>> {
  const { host, signal } = run;
  const { port } = await run.resolvedSettings();
  return {
    // A port that was set for `serve` is not meant.
    port: port.source === 'flag' ? port.value : 0,
    env: host.env,
    logger: await taskLoggerOf(run),
    nowMs: host.nowMs,
    signal,
    openBackend: host.openBackend,
    showFile: fileShower(host.env),
  };
}
