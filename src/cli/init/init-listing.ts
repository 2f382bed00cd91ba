/** The work of `init`: asks, writes a valid listing file at the end, and offers to render it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Listing } from '../../listing/listing.ts';
import { explainViolation } from '../../listing/rules/explain-violation.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';
import { packageFile } from '../../platform/program-files.ts';
import { BUILT_IN_TEMPLATES_DIR } from '../../design/template/load-template.ts';
import { schemaAddress } from '../../video/schema-address.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun, GlobalOptions } from '../command-run.ts';
import type { CreateOptions } from '../create/create-options.ts';
import { formatPath } from '../listings/format-path.ts';
import { ownTemplatesDirs } from '../templates/find-template.ts';
import { readTemplateSummaries } from '../templates/read-template-summaries.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { answerLines } from './answer-lines.ts';
import type { TemplateChoice } from './choose-design.ts';
import { draftListing } from './draft-listing.ts';
import { formatSkipped } from '../listings/format-skipped.ts';
import { type GatherOptions, gatherAnswers } from './gather-answers.ts';
import type { GivenAnswers } from './given-answers.ts';
import { conductInterview } from './interview.ts';
import { requireWritable, writeListing } from './listing-file.ts';
import { type Draft, openDraft } from './open-draft.ts';
import { openPhotoViewer } from './photo-viewer.ts';
import { askFirstYesNo, createPrompter, type Prompter } from './prompter.ts';

/** Options of `init`: its own, and the answers that options give. */
interface InitOptions extends GivenAnswers {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly render?: boolean;
}

/** Runs the command; returns its exit code, that of `create` when it renders. */
export async function initListing(run: CommandRun<InitOptions>): Promise<number> {
  const { cwd } = await run.host.machine();
  const name = run.args[0] ?? 'listing.json';
  if (name === '') throw usageError('the name of the listing is empty', 'listing-video init listing.json');
  const file = path.resolve(cwd, name);
  const isAsking = run.options.yes !== true && run.options.input !== false;
  if (isAsking && (!run.terminal.canPrompt || run.output.json)) {
    throw usageError(
      'init needs a terminal to ask questions',
      'listing-video init --yes --photos photos --agent "June Takemori"',
    );
  }
  await requireWritable(file);
  const prompter = isAsking ? await createPrompter(run.terminal, run.signal) : null;
  if (!(await mayWrite(run, file, name, prompter))) {
    run.info(`${escapeText(name)} is unchanged`);
    return 0;
  }
  const draft = await openDraft(run, file, prompter);
  const { listing, photos, render } = await interview(run, file, prompter, draft);
  run.signal.throwIfAborted();
  const document = { $schema: schemaAddress(path.dirname(file), packageFile('.')), ...listing };
  await writeListing(file, `${JSON.stringify(document, null, 2)}\n`);
  await draft.remove();
  if (!isAsking) await hintAtOpening(run, photos);
  if (!render) {
    await printWritten(run, name, file);
    return 0;
  }
  run.info(`wrote ${escapeText(name)}`);
  const { runCreate } = await import('../create/run-create.ts');
  const { json, quiet, verbose, debug, home } = run.options;
  // A server cannot read local photos, so this machine renders. `-` would mean stdin.
  const options = { json, quiet, verbose, debug, home, server: false } as GlobalOptions;
  return runCreate(run.follow<CreateOptions>([name === '-' ? file : name], options));
}

/** Asks all questions. At Ctrl-C the draft keeps the answers, and the error says so. */
async function interview(
  run: CommandRun<InitOptions>,
  file: string,
  prompter: Prompter | null,
  draft: Draft,
): Promise<{ listing: Listing; photos: readonly string[]; render: boolean }> {
  const { cwd } = await run.host.machine();
  const templates = await templateChoices(run);
  const screen = answerLines(run.terminal);
  const viewer = openPhotoViewer(run, file, screen.notePrinted);
  const said = new Set<string>();
  const sayOnce = (line: string): void => {
    if (said.has(line)) return;
    said.add(line);
    screen.notePrinted();
    run.info(line);
  };
  const options: GatherOptions = {
    cwd,
    given: run.options,
    templates,
    sheetOf,
    viewer,
    onSkipped: (skipped) => formatSkipped(skipped).forEach(sayOnce),
    onHint: (hint) => sayOnce(`hint: ${escapeText(hint)}`),
  };
  try {
    return await conductInterview(
      { prompter, saved: draft.answers, onAnswer: draft.write, show: screen.show, unshow: screen.unshow },
      async (ask) => {
        const answers = await gatherAnswers(ask, options);
        const listing = draftListing(answers, path.dirname(file));
        requireValid(listing);
        const isToAsk = run.options.render === undefined && ask.isAsking;
        const render = isToAsk
          ? await ask.yesNo('render', 'Render the videos now?', true)
          : run.options.render;
        return { listing, photos: answers.photos, render: render ?? false };
      },
    );
  } catch (error) {
    throw draft.explain(error);
  } finally {
    await viewer.close();
  }
}

/** A silent run keeps the order by name: a guess must not decide unseen. Programs (`--json`) do not pay for a hint. */
async function hintAtOpening(run: CommandRun<InitOptions>, photos: readonly string[]): Promise<void> {
  const { photo, order, first } = run.options;
  if (run.output.quiet || run.output.json || (photo ?? order ?? first) !== undefined) return;
  const { opening } = await openPhotoViewer(run, '', () => {}).look(photos);
  if (opening === null) return;
  const name = path.basename(opening);
  const word = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  run.info(
    `hint: ${escapeText(name)} looks like a view of the outside; add --first ${escapeText(word)} to open with it`,
  );
}

/** Asks before a file is replaced; without a terminal only `--force` replaces one. */
async function mayWrite(
  run: CommandRun<InitOptions>,
  file: string,
  name: string,
  prompter: Prompter | null,
): Promise<boolean> {
  if (run.options.force === true || !existsSync(file)) return true;
  if (prompter === null) {
    throw usageError(
      `${name} already exists`,
      'add --force to replace it, or name another file: listing-video init other.json',
    );
  }
  return askFirstYesNo(prompter, `${name} already exists. Replace it?`, false);
}

/** The contact sheet beside a template; null for a template without one. */
function sheetOf(templateId: string): string | null {
  const sheet = path.join(BUILT_IN_TEMPLATES_DIR, templateId, 'sheet.jpg');
  return existsSync(sheet) ? sheet : null;
}

/** Answers that are valid alone can break a rule together, such as a path that is too long. */
function requireValid(listing: unknown): void {
  const checked = validateListing(listing, { allowLocalFiles: true });
  if (checked.ok) return;
  const [first] = checked.violations;
  throw usageError(
    `the answers do not make a valid listing: ${formatPath(first!.loc)}: ${explainViolation(first!)}`,
  );
}

async function printWritten(run: CommandRun, name: string, file: string): Promise<void> {
  if (run.output.json) {
    const { printJson } = await import('../terminal/print-json.ts');
    printJson(run.terminal, { file });
    return;
  }
  run.terminal.print(escapeText(name));
  run.info(`next: listing-video create ${escapeText(/\s/.test(name) ? JSON.stringify(name) : name)}`);
}

/** The templates that can be used. */
async function templateChoices(run: CommandRun): Promise<TemplateChoice[]> {
  const summaries = await readTemplateSummaries(await ownTemplatesDirs(run));
  return summaries.flatMap(({ id, name, description, branding }) =>
    name === null ? [] : [{ id, name, description: description ?? '', hasBranding: branding !== 'none' }],
  );
}
