/** The whole command line: joins the commands, runs one, turns what it throws into words and an exit code. */
import { Command, CommanderError } from 'commander';
import type { ListingVideoError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';
import { settingValues } from '../settings/resolve-settings.ts';
import { SETTING_NAMES } from '../settings/setting-table.ts';
import { type OutputOptions, printError, usageError } from './cli-error.ts';
import type { CliHost, CommandRun, CommandWork, SettingFlags } from './command-run.ts';
import { configCommand } from './commands/config.ts';
import { createCommand } from './commands/create.ts';
import { doctorCommand } from './commands/doctor.ts';
import { keysCommand } from './commands/keys.ts';
import { organizationCommand } from './commands/organization.ts';
import { serveCommand } from './commands/serve.ts';
import { tasksCommand } from './commands/tasks.ts';
import { templatesCommand } from './commands/templates.ts';
import { validateCommand } from './commands/validate.ts';
import { addExamples, addSettings, type CommandDefinition, type StartCommand } from './define-command.ts';
import type { Studio } from './studio.ts';

/** In the order of the help. */
const COMMANDS: readonly CommandDefinition[] = [
  createCommand,
  validateCommand,
  tasksCommand,
  templatesCommand,
  serveCommand,
  organizationCommand,
  keysCommand,
  configCommand,
  doctorCommand,
];

const EXIT_CODES = `Exit codes:
  0    all succeeded
  1    a task failed, or some of several listings were invalid
  2    nothing could be started: wrong usage, invalid input, unknown task, template,
       organization or key
  3    the environment is not fit, see listing-video doctor
  130  interrupted`;

/** Where commander writes help and usage errors. */
interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: () => number;
  /** Which command could not make sense of its words. */
  readonly onUsageError: (command: Command) => void;
}

/** The parser alone; `start` is called with the chosen command and its work. */
export function buildProgram(version: string, start: StartCommand, output: ProgramOutput): Command {
  const program = new Command('listing-video')
    .description('Turns real-estate listings into videos: one MP4 per agent, rendered on this machine.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'print one JSON document on stdout and nothing else')
    .option('-q, --quiet', 'print results and errors only')
    .option('--debug', 'print what happens inside, and stack traces');
  addSettings(program, ['home']);
  addExamples(program, [
    ['listing-video create listing.json', 'render every agent of a listing'],
    ['listing-video validate listings/', 'check all listings of a folder'],
    ['listing-video doctor', 'see whether this machine is ready'],
  ]);
  program.addHelpText('after', `\n${EXIT_CODES}`);
  for (const define of COMMANDS) program.addCommand(define(start));
  for (const command of allCommands(program)) {
    if (command.commands.length > 0) command.helpCommand('help [command]', 'print the help of a command');
    command
      .helpOption('-h, --help', 'print this help')
      .exitOverride()
      .configureHelp({ showGlobalOptions: true, minWidthToWrap: 16 })
      .configureOutput({
        writeOut: output.out,
        writeErr: output.err,
        outputError: () => output.onUsageError(command),
        getOutHelpWidth: output.columns,
        getErrHelpWidth: output.columns,
        getOutHasColors: () => false,
        getErrHasColors: () => false,
      });
  }
  return program;
}

/** The words that call a command: `listing-video tasks list`. */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** `command` and everything below it. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => allCommands(child as Command))];
}

/**
 * Runs one command line. Never throws and never exits.
 *
 * @param argv - The words after the program's name.
 * @returns The exit code of cli.md.
 */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  const { terminal } = host;
  let exitCode = 0;
  let helpOnError = '';
  let misused = 'listing-video';
  const start: StartCommand = async (command, work) => {
    exitCode = await runWork(command, work, host);
  };
  const program = buildProgram(host.version, start, {
    out: (text) => terminal.print(text.replace(/\n$/, '')),
    err: (text) => {
      helpOnError += text;
    },
    columns: () => terminal.columns,
    onUsageError: (command) => {
      misused = pathOf(command);
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    const output = outputOptionsOf(argv);
    if (!(error instanceof CommanderError)) return printError(terminal, error, output);
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help') return printError(terminal, toUsageError(error, misused), output);
    const { command, stranger } = followWords(program);
    if (stranger !== null) return printError(terminal, unknownCommand(command, stranger), output);
    if (output.json) return printError(terminal, missingCommand(command), output);
    terminal.note(helpOnError.trimEnd());
    return 2;
  }
}

async function runWork(command: Command, work: CommandWork, host: CliHost): Promise<number> {
  const options = command.optsWithGlobals();
  const output: OutputOptions = {
    json: options.json === true,
    isNdjson: pathOf(command) === 'listing-video tasks watch',
    quiet: options.quiet === true,
    debug: options.debug === true,
  };
  const { run, close } = toCommandRun(command, options, output, host);
  try {
    return await work(run);
  } catch (error) {
    return printError(host.terminal, error, output);
  } finally {
    await close();
  }
}

function toCommandRun(
  command: Command,
  options: Readonly<Record<string, unknown>>,
  output: OutputOptions,
  host: CliHost,
): { run: CommandRun; close: () => Promise<void> } {
  const { terminal } = host;
  let studio: Promise<Studio> | undefined;
  let resolved: ReturnType<CommandRun['resolvedSettings']> | undefined;
  const run: CommandRun = {
    host,
    terminal,
    output,
    signal: host.interrupted,
    args: command.args,
    options,
    info: (line) => {
      if (!output.quiet) terminal.note(line);
    },
    resolvedSettings: () => {
      resolved ??= loadSettings(flagsOf(options), host);
      return resolved;
    },
    settings: async () => settingValues(await run.resolvedSettings()),
    studio: () => {
      studio ??= openStudio(run);
      return studio;
    },
  };
  const close = async (): Promise<void> => {
    const opened = await studio?.catch(() => undefined);
    await opened?.close();
  };
  return { run, close };
}

async function openStudio(run: CommandRun): Promise<Studio> {
  const { formatLogLine } = await import('./format-log-line.ts');
  return run.host.openStudio(await run.settings(), {
    logger: {
      debug: (message, facts) => {
        if (run.output.debug) run.terminal.note(formatLogLine('debug', message, facts));
      },
      warn: (message, facts) => run.info(formatLogLine('warning', message, facts)),
    },
  });
}

async function loadSettings(flags: SettingFlags, host: CliHost): ReturnType<CommandRun['resolvedSettings']> {
  const { loadResolvedSettings } = await import('./load-settings.ts');
  return loadResolvedSettings(flags, host);
}

function flagsOf(options: Readonly<Record<string, unknown>>): SettingFlags {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, options[name]]));
}

/** Before the words are understood: whether `--json` and its like stand among them. */
function outputOptionsOf(argv: readonly string[]): OutputOptions {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return {
    json: words.includes('--json'),
    quiet: words.includes('--quiet') || words.includes('-q'),
    debug: words.includes('--debug'),
  };
}

/** How far the words lead into the commands, and the first word that leads nowhere: in `help nope` that is `nope`. */
function followWords(program: Command): { command: Command; stranger: string | null } {
  let command = program;
  for (const word of program.args) {
    if (word === 'help' || word.startsWith('-')) continue;
    const next = command.commands.find((child) => child.name() === word);
    if (!next) return { command, stranger: word };
    command = next as Command;
  }
  return { command, stranger: null };
}

function unknownCommand(command: Command, word: string): ListingVideoError {
  const near = nearestName(
    word,
    command.commands.map((child) => child.name()),
  );
  return usageError(
    `unknown command '${word}'`,
    near ? `did you mean ${near}?` : `${pathOf(command)} --help`,
  );
}

function missingCommand(command: Command): ListingVideoError {
  return usageError('a command is missing', `${pathOf(command)} --help`);
}

/** Commander's sentence without its `error: `; its suggestion becomes the hint. */
function toUsageError(error: CommanderError, command: string): ListingVideoError {
  const [first = '', ...rest] = error.message.split('\n');
  const suggestion = rest.join(' ').replace(/^\(D(.*)\)$/, 'd$1');
  return usageError(first.replace(/^error: /, ''), suggestion || `${command} --help`);
}
