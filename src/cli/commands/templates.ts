/** `listing-video templates`: what designs exist. */
import { Command } from 'commander';
import type { CommandRun } from '../command-run.ts';
import { addExamples, type CommandDefinition, startsWith } from '../define-command.ts';

/** See the file's head. */
export const templatesCommand: CommandDefinition = (start) => {
  const list = new Command('list')
    .summary('the templates that exist')
    .description('Lists the templates, each with what it is for.');
  addExamples(list, [
    ['listing-video templates list', 'what there is'],
    ['listing-video templates list --json', 'for a program to read'],
  ]);
  const command = new Command('templates')
    .summary('see which templates exist')
    .description('The designs that --template and template_id can name.')
    .addCommand(startsWith(list, start, listTemplates));
  return addExamples(command, [['listing-video templates list', 'what there is']]);
};

async function listTemplates(run: CommandRun): Promise<number> {
  const { readTemplateSummaries } = await import('../read-template-summaries.ts');
  const templates = await readTemplateSummaries();
  if (run.output.json) {
    const { printJson } = await import('../print-json.ts');
    printJson(run.terminal, { data: templates, has_more: false });
    return 0;
  }
  const { formatTable } = await import('../table.ts');
  const { escapeText } = await import('../escape-text.ts');
  const lines = formatTable(
    templates,
    [
      { title: 'ID', text: (template) => escapeText(template.id) },
      { title: 'NAME', text: (template) => escapeText(template.name) },
      { title: 'RATIOS', text: (template) => template.ratios.join(' ') },
      { title: 'DESCRIPTION', text: (template) => escapeText(template.description), shrinks: true },
    ],
    run.terminal.stdoutIsTty ? run.terminal.columns : Number.POSITIVE_INFINITY,
  );
  for (const line of lines) run.terminal.print(line);
  return 0;
}
