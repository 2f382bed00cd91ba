/** The work of `init`: asks, writes a valid listing file at the end, and offers to render it. */

import { constants, existsSync, statSync } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../disk/atomic-write.ts';
import { outputUnwritable } from '../../disk/disk-error.ts';
import type { ListingVideoError } from '../../errors.ts';
import { validateListing } from '../../listing/rules/validate-listing.ts';
import { BUILT_IN_TEMPLATES_DIR } from '../../template/load-template.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun, GlobalOptions } from '../command-run.ts';
import type { CreateOptions } from '../create/create-options.ts';
import { formatPath } from '../listings/format-validation.ts';
import { ownTemplatesDirs } from '../templates/find-template.ts';
import { readTemplateSummaries } from '../templates/read-template-summaries.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { draftListing } from './draft-listing.ts';
import { formatSkipped } from './format-skipped.ts';
import { type GivenAnswers, gatherAnswers, type TemplateChoice } from './gather-answers.ts';
import { createPrompter, type Prompter } from './prompter.ts';

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
  const file = path.resolve(cwd, name);
  const isAsking = run.options.yes !== true;
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
  const answers = await gatherAnswers({
    cwd,
    given: run.options,
    prompter,
    templates: await templateChoices(run),
    sheetOf,
    onSkipped: (skipped) => formatSkipped(skipped).forEach((line) => void run.info(line)),
  });
  const listing = draftListing(answers, path.dirname(file));
  requireValid(listing);
  const render = run.options.render ?? (await prompter?.yesNo('Render the videos now?', true)) ?? false;
  run.signal.throwIfAborted();
  await write(file, `${JSON.stringify(listing, null, 2)}\n`);
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
  return prompter.yesNo(`${escapeText(name)} already exists. Replace it?`, false);
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
  throw usageError(`the answers do not make a valid listing: ${formatPath(first!.loc)}: ${first!.msg}`);
}

/** Checked before the first question: twenty answers must not be lost to a file that cannot be written. */
async function requireWritable(file: string): Promise<void> {
  if (existsSync(file) && statSync(file).isDirectory()) throw unwritable(file, new Error('it is a folder'));
  let folder = path.dirname(file);
  while (!existsSync(folder) && path.dirname(folder) !== folder) folder = path.dirname(folder);
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    await access(folder, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFileAtomically(file, text, { durable: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): ListingVideoError {
  return outputUnwritable(error, file, 'name another file: listing-video init /path/to/listing.json');
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
  return summaries.flatMap(({ id, name, description }) =>
    name === null ? [] : [{ id, name, description: description ?? '' }],
  );
}
