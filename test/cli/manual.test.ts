/** The manual page: everything that help has is in it, and nothing of it can be taken for a request of roff. */
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/cli/define-command.ts';
import { formatManual } from '../../src/cli/format-manual.ts';
import { TOPICS } from '../../src/cli/help-topics.ts';
import { allCommands, buildProgram } from '../../src/cli/program.ts';
import { SETTINGS } from '../../src/platform/settings/setting-table.ts';

const nothing = (): void => undefined;
const program = buildProgram('1.2.3', async () => undefined, {
  ...{ out: nothing, err: nothing, onUsageError: nothing },
  columns: () => 80,
});
const commands = allCommands(program).filter((command) => !command.name().startsWith('__'));
const manual = formatManual('1.2.3');
/** The text as a reader sees it. */
const text = manual.replaceAll('\\-', '-').replaceAll('\\&', '').replaceAll('\\e', '\\');

describe('the manual', () => {
  it('has every command, option, example, topic and variable', () => {
    const help = program.createHelp();
    for (const command of commands.slice(1)) {
      expect(text).toMatch(new RegExp(`^\\.SS listing-video (?:\\w+ )*${command.name()}\\b`, 'm'));
      for (const { flags, description } of help.visibleOptions(command)) {
        if (!flags.includes('--help')) expect(text).toContain(`.B ${flags}\n${description}\n`);
      }
    }
    for (const command of commands)
      for (const [line] of examplesOf(command)) expect(text).toContain(`\n${line}\n`);
    for (const topic of Object.keys(TOPICS)) expect(text).toContain(`.B ${topic}\n`);
    for (const { env } of Object.values(SETTINGS)) expect(text).toContain(`.B ${env}\n`);
  });

  it('uses no request but those meant', () => {
    const requests = new Set([...manual.matchAll(/^['.]\S*/gm)].map(([request]) => request));
    expect([...requests].sort()).toEqual(
      ['.B', '.EE', '.EX', '.I', '.PP', '.RE', '.RS', '.SH', '.SS', '.TH', '.TP'].sort(),
    );
    // A backslash that is no escape of ours would be one of somebody's text.
    expect(manual.replace(/\\(?:-|&|e|fB|fR)/g, '')).not.toContain('\\');
  });
});
