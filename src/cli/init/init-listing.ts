/** The work of `init`: asks, writes a valid listing file, and offers to render it or to open it in the studio. */
import { constants, existsSync, statSync } from 'node:fs';
import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Listing } from '../../listing/listing.ts';
import { explainViolation } from '../../listing/rules/explain-violation.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { outputUnwritable } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { packageFile } from '../../platform/program-files.ts';
import { requireNotOpen } from '../../video/listing-lock.ts';
import { schemaAddress } from '../../video/schema-address.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun, GlobalOptions } from '../command-run.ts';
import { formatPath } from '../listings/format-path.ts';
import { formatSkipped } from '../listings/format-skipped.ts';
import { ownTemplatesDirs } from '../templates/find-template.ts';
import { readTemplateSummaries } from '../templates/read-template-summaries.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { messageWrapper } from '../terminal/message-wrapper.ts';
import { printResult } from '../terminal/print-json.ts';
import { createPrompter, type Prompter } from '../terminal/prompter.ts';
import { shellWord } from '../terminal/shell-word.ts';
import type { GivenAnswers } from './answers.ts';
import { checkAnswers } from './check-answers.ts';
import { draftFileOf, readDraft, writeDraft } from './draft.ts';
import { type Gathered, gatherListing } from './gather-listing.ts';
import type { Interview } from './interview.ts';
import { hintAtOpening, lookOnce } from './look-once.ts';

type InitOptions = GivenAnswers & { readonly [Name in 'yes' | 'force' | 'render']?: boolean };

const STOPPED = 'init was stopped; nothing was written';
const NEXT = [
  { value: 'render', name: 'render the videos' },
  { value: 'studio', name: 'open the studio, for captions, order, texts and template' },
  { value: 'none', name: 'nothing more' },
];

/** Runs the command; returns its exit code, that of `create` or `studio` when it goes on with one. */
export async function initListing(run: CommandRun<InitOptions>): Promise<number> {
  const { cwd } = await run.host.machine();
  const name = run.args[0] ?? 'listing.json';
  if (name === '') throw usageError('the name of the listing is empty', 'listing-video init listing.json');
  const file = path.resolve(cwd, name);
  const isAsking = run.options.yes !== true && run.options.input !== false;
  if (isAsking && (!run.terminal.canPrompt || run.output.json)) {
    const hint = 'listing-video init --yes --photos photos --agent "June Takemori"';
    throw usageError('init needs a terminal to ask questions', hint);
  }
  const unwritable = (error: unknown): never => {
    throw outputUnwritable(error, file, 'name another file: listing-video init /path/to/listing.json');
  };
  await requireWritable(file).catch(unwritable);
  await requireNotOpen(file);
  const prompter = isAsking ? await createPrompter(run.terminal, run.signal, STOPPED) : null;
  if (run.options.force !== true && existsSync(file)) {
    const hint = 'add --force to replace it, or name another file: listing-video init other.json';
    if (prompter === null) throw usageError(`${name} already exists`, hint);
    if (!(await prompter.yesNo(`${name} already exists. Replace it?`, false))) {
      run.info(`${escapeText(name)} is unchanged`);
      return 0;
    }
  }
  const { listing, photos, alsoRatio, next } = await interview(run, file, prompter);
  run.signal.throwIfAborted();
  const document = { $schema: schemaAddress(path.dirname(file), packageFile('.')), ...listing };
  await mkdir(path.dirname(file), { recursive: true }).catch(unwritable);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  // Opened since the first question. A draft keeps the answers.
  await requireNotOpen(file);
  await writeFileAtomically(file, text, { durable: true }).catch(unwritable);
  if (prompter !== null) await rm(draftFileOf(file), { force: true });
  else await hintAtOpening(run, photos, run.options);
  if (next === 'none') {
    const shapes = alsoRatio === undefined ? '' : ` --also-ratio ${alsoRatio}`;
    return printResult(run, { file }, () => {
      run.terminal.print(escapeText(name));
      run.info(`next: listing-video create ${escapeText(shellWord(name))}${shapes}`);
    });
  }
  run.info(`wrote ${escapeText(name)}`);
  const { json, quiet, verbose, debug, home } = run.options;
  // A server cannot read local photos, so this machine renders. `-` would mean stdin.
  const options = { json, quiet, verbose, debug, home, server: false, alsoRatio } as GlobalOptions;
  const words = [name === '-' ? file : name];
  if (next === 'studio')
    return (await import('../studio/run-studio.ts')).runStudio(run.follow(words, options));
  return (await import('../create/run-create.ts')).runCreate(run.follow(words, options));
}

/** Asks all questions. At Ctrl-C the draft keeps the answers, and the error says so. */
async function interview(
  run: CommandRun<InitOptions>,
  file: string,
  prompter: Prompter | null,
): Promise<Gathered & { readonly next: string }> {
  const { cwd } = await run.host.machine();
  const draft = draftFileOf(file);
  const draftName = escapeText(path.relative(cwd, draft));
  const found = prompter === null ? {} : await readDraft(draft);
  const count = Object.keys(found).length;
  const answers = count === 1 ? '1 answer' : `${count} answers`;
  const question = `${draftName} has ${answers} of an unfinished init. Continue with it?`;
  const { dim } = run.terminal.styles.err;
  const wrap = await messageWrapper(run.terminal);
  // Questions that are asked again say nothing twice.
  const said = new Set<string>();
  const sayOnce = (text: string): void => {
    if (!said.has(text)) wrap('', text).forEach(run.info);
    said.add(text);
  };
  const intro = 'Enter takes what is in brackets. Esc goes back one question. Ctrl-C keeps your answers.';
  if (prompter !== null) sayOnce(dim(intro));
  const saved = count > 0 && (await prompter!.yesNo(question, true)) ? found : {};
  const templates = await readTemplateSummaries(await ownTemplatesDirs(run));
  const shapes = await run.settings();
  const look = lookOnce(run);
  const gather = (ask: Interview): Promise<Gathered> =>
    gatherListing(ask, {
      cwd,
      folder: path.dirname(file),
      given: run.options,
      shapes,
      templateIds: templates.flatMap(({ id, name }) => (name === null ? [] : [id])),
      look,
      onSkipped: (skipped) => formatSkipped(skipped).forEach(sayOnce),
      onHint: (hint) => sayOnce(`hint: ${escapeText(hint)}`),
    });
  try {
    return await checkAnswers({
      prompter: prompter && (await createPrompter(run.terminal, run.signal, STOPPED, true)),
      saved,
      onAnswer: (answers) => writeDraft(draft, answers),
      gather,
      onAgain: () => sayOnce(dim('Enter keeps the answer, Tab edits it, Backspace removes it.')),
      end: async (ask, gathered) => {
        requireValid(gathered.listing);
        const { render } = run.options;
        if (render !== undefined || !ask.isAsking)
          return { ...gathered, next: render === true ? 'render' : 'none' };
        const question = { message: 'What next?', choices: NEXT, preset: ['render'] };
        const [next = 'none'] = await ask.choose('next', question);
        return { ...gathered, next };
      },
    });
  } catch (error) {
    const isCancelled = error instanceof ListingVideoError && error.code === 'cancelled';
    if (!isCancelled || prompter === null || Object.keys(await readDraft(draft)).length === 0) throw error;
    throw new ListingVideoError('cancelled', `init was stopped; ${draftName} keeps your answers`, {
      hint: 'run the same command again to continue',
      cause: error,
    });
  }
}

/** Answers that are valid alone can break a rule together. */
function requireValid(listing: Listing): void {
  const checked = validateListing(listing, { allowLocalFiles: true });
  const [fault] = checked.ok ? [] : checked.violations;
  const where = fault && `${formatPath(fault.loc)}: ${explainViolation(fault)}`;
  if (fault) throw usageError(`the answers do not make a valid listing: ${where}`);
}

/** Called before the first question: answers must not be lost to a file that cannot be written. */
async function requireWritable(file: string): Promise<void> {
  if (existsSync(file) && statSync(file).isDirectory()) throw new Error('it is a folder');
  let folder = path.dirname(file);
  while (!existsSync(folder) && path.dirname(folder) !== folder) folder = path.dirname(folder);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  await access(folder, constants.W_OK);
}
