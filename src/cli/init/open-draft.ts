/** The draft of one run of `init`: offers the answers of an unfinished one, and keeps those of this one. */
import path from 'node:path';
import { ListingVideoError } from '../../platform/errors.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { draftFileOf, readDraft, removeDraft, writeDraft } from './draft-file.ts';
import type { SavedAnswers } from './interview.ts';
import { askFirstYesNo, type Prompter } from './prompter.ts';

/** Answers that survive the end of the program. */
export interface Draft {
  /** Those to begin with. */
  readonly answers: SavedAnswers;
  write(answers: SavedAnswers): Promise<void>;
  /** Called when the listing is written. */
  remove(): Promise<void>;
  /** The error of Ctrl-C with a word on the answers; others as they are. */
  explain(error: unknown): unknown;
}

/** @param prompter - Null: a silent run neither reads nor writes a draft. */
export async function openDraft(
  run: CommandRun,
  listingFile: string,
  prompter: Prompter | null,
): Promise<Draft> {
  const file = draftFileOf(listingFile);
  const { cwd } = await run.host.machine();
  const name = escapeText(path.relative(cwd, file));
  let isKept = false;
  const saved = prompter === null ? new Map() : await readDraft(file);
  let answers: SavedAnswers = new Map();
  if (prompter !== null) {
    run.info(run.terminal.styles.err.dim(HOW_TO));
    if (saved.size > 0) {
      const count = saved.size === 1 ? '1 answer' : `${saved.size} answers`;
      isKept = true;
      const question = `${name} has ${count} of an unfinished init. Continue with it?`;
      if (await askFirstYesNo(prompter, question, true)) answers = saved;
    }
  }
  return {
    answers,
    write: async (latest) => {
      isKept = await writeDraft(file, latest);
    },
    remove: () => (prompter === null ? Promise.resolve() : removeDraft(file)),
    explain: (error) => {
      if (!isKept || !(error instanceof ListingVideoError) || error.code !== 'cancelled') return error;
      return new ListingVideoError('cancelled', `init was stopped; ${name} keeps your answers`, {
        hint: 'run the same command again to continue',
        cause: error,
      });
    },
  };
}

const HOW_TO = 'Enter takes what is in brackets. Esc or < goes back. Ctrl-C keeps your answers.';
