/** The work of `templates new`: an own template as a copy of another, and what to do with it next. */
import path from 'node:path';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { shortestPath } from '../tasks/run-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { findNamedTemplate } from './find-template.ts';

/** Runs the command; returns its exit code. */
export async function makeTemplate(run: CommandRun): Promise<number> {
  const id = run.args[0]!;
  const { templatesDir } = await run.settings();
  if (templatesDir === undefined) {
    throw usageError(
      'which folder is it to lie in?',
      `listing-video templates new ${id} --templates-dir my-templates`,
    );
  }
  const [{ readTemplate }, { makeTemplate: make }] = await Promise.all([
    import('../../template/load-template.ts'),
    import('../../template/make-template.ts'),
  ]);
  const from = await findNamedTemplate(String(run.options.from), run);
  const { text } = await readTemplate(from);
  const file = await make({ id, text, templatesDir });
  if (run.output.json) {
    printJson(run.terminal, { id, file, from: from.id });
    return 0;
  }
  const { cwd } = await run.host.machine();
  run.terminal.print(escapeText(shortestPath(file, cwd)));
  const folder = shortestPath(path.dirname(file), cwd);
  const where = folder.includes(path.sep) ? folder : `.${path.sep}${folder}`;
  run.info(escapeText(`a copy of ${from.id}; see it: listing-video templates preview ${where}`));
  return 0;
}
