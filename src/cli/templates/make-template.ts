/** The work of `templates new`: copies a template under a new id. */
import path from 'node:path';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { shortestPath } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { findNamedTemplate } from './find-template.ts';

/** Options of `templates new`. */
interface NewTemplateOptions {
  readonly from: string;
}

export async function makeTemplate(run: CommandRun<NewTemplateOptions>): Promise<number> {
  const id = run.args[0]!;
  const { templatesDir } = await run.settings();
  if (templatesDir === undefined) {
    throw usageError(
      '--templates-dir is missing: the folder for your own templates',
      `listing-video templates new ${id} --templates-dir my-templates`,
    );
  }
  const [{ readTemplate }, { makeTemplate: make }] = await Promise.all([
    import('../../design/template/load-template.ts'),
    import('../../design/template/make-template.ts'),
  ]);
  const from = await findNamedTemplate(run.options.from, run);
  const { template, text } = await readTemplate(from);
  const file = await make({ id, text, templatesDir });
  if (template.fonts !== undefined) {
    const { copyFonts } = await import('../../video/templates/template-fonts.ts');
    await copyFonts(template, path.dirname(from.file), path.dirname(file));
  }
  const { cwd } = await run.host.machine();
  return printResult(run, { id, file, from: from.id }, () => {
    run.terminal.print(escapeText(shortestPath(file, cwd)));
    const folder = shortestPath(path.dirname(file), cwd);
    const where = folder.includes(path.sep) ? folder : `.${path.sep}${folder}`;
    run.info(escapeText(`copied from ${from.id}; to see it: listing-video templates preview ${where}`));
    const folders = shortestPath(templatesDir, cwd);
    run.info(escapeText(`to see it while you change it: listing-video demo --templates-dir ${folders}`));
  });
}
