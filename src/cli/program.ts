/** The whole command line: joins the commands, runs one, and prints what it throws. */
import { type Command, CommanderError, Option } from 'commander';
import type { ListingVideoError } from '../platform/errors.ts';
import { misspelledVariables } from '../platform/settings/resolve-settings.ts';
import { keysCommand } from './accounts/keys-command.ts';
import { organizationCommand } from './accounts/organization-command.ts';
import { webhooksCommand } from './accounts/webhooks-command.ts';
import { cacheCommand } from './cache/command.ts';
import { nearestHint, printError, usageError } from './cli-error.ts';
import {
  type CliHost,
  type CommandWork,
  type GlobalOptions,
  type OutputOptions,
  openCommandRun,
} from './command-run.ts';
import { completeCommand, completionCommand } from './completion/command.ts';
import { configCommand } from './config/command.ts';
import { createCommand } from './create/command.ts';
import { databaseCommand } from './database/command.ts';
import { CliCommand, childCalled, type StartCommand } from './define-command.ts';
import { demoCommand } from './demo/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { ffmpegCommand } from './ffmpeg/command.ts';
import { fontsCommand } from './fonts/command.ts';
import { helpCommand } from './help-command.ts';
import { topicLines } from './help-topics.ts';
import { importCommand } from './import/command.ts';
import { initCommand } from './init/command.ts';
import { mcpCommand } from './mcp/command.ts';
import { serveCommand } from './serve/command.ts';
import { storageCommand } from './storage/command.ts';
import { studioCommand } from './studio/command.ts';
import { tasksCommand } from './tasks/command.ts';
import { templatesCommand } from './templates/command.ts';
import { escapeText } from './terminal/escape-text.ts';
import { messageWrapper } from './terminal/message-wrapper.ts';
import { formatJson } from './terminal/print-json.ts';
import { restrictTerminal } from './terminal/restrict-terminal.ts';
import { pathOf, tooManyArguments } from './usage-errors.ts';
import { validateCommand } from './validate/command.ts';
import { versionCommand } from './version-command.ts';
import { workerCommand } from './worker/command.ts';
import { workersCommand } from './workers/command.ts';

/** In the order of the help. */
const COMMANDS: readonly (() => CliCommand)[] = [
  createCommand,
  studioCommand,
  demoCommand,
  initCommand,
  importCommand,
  validateCommand,
  tasksCommand,
  templatesCommand,
  mcpCommand,
  serveCommand,
  workerCommand,
  workersCommand,
  organizationCommand,
  keysCommand,
  webhooksCommand,
  databaseCommand,
  storageCommand,
  ffmpegCommand,
  fontsCommand,
  configCommand,
  cacheCommand,
  doctorCommand,
  completionCommand,
  versionCommand,
  helpCommand,
];

/** For help and manual. */
export const EXIT_CODES = `Exit codes:
  0    all succeeded
  1    a task failed, or some of several listings were invalid
  2    nothing could be started: wrong usage, invalid input, or an unknown
       task, template, organization, key or webhook
  3    this machine is not ready (see listing-video doctor), or the server
       cannot be reached
  130  interrupted`;

interface ProgramOutput {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly columns: () => number;
  /** Called with the command whose words are wrong. */
  readonly onUsageError: (command: Command) => void;
}

/** The parser alone; `start` is called with the chosen command and its work. */
export function buildProgram(version: string, start: StartCommand, output: ProgramOutput): Command {
  const program = new CliCommand('listing-video', '')
    .description('Renders real-estate listings as videos on this machine: one MP4 per agent.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--json', 'print one JSON document on stdout and nothing else')
    .option('-q, --quiet', 'print results and errors only')
    .addOption(new Option('-v, --verbose', 'log details too').conflicts('quiet'))
    .option('--no-color', 'print without colors; NO_COLOR does the same, FORCE_COLOR the opposite')
    .option('--no-input', 'never ask: a missing answer is an error that names its option')
    .option('--debug', 'log details and stack traces; after a failure write a zip file for a bug report')
    .settings('home')
    .examples({
      'create listing.json': 'render the videos of a listing',
      'validate listings/': 'validate all listings of a folder',
      doctor: 'check whether this machine can render',
    })
    .addHelpText('after', `\n${topicLines()}\n\n${EXIT_CODES}`)
    .helpCommand(false)
    .subcommands(...COMMANDS.map((define) => define()))
    .addCommand(completeCommand(), { hidden: true });
  for (const command of allCommands(program)) {
    if (command instanceof CliCommand && command.begin) command.action(() => command.begin?.(start));
    if (command !== program && command.commands.length > 0)
      command.helpCommand('help [command]', 'print the help of a command');
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

export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => allCommands(child as Command))];
}

/**
 * Runs one command line. Never throws and never exits.
 *
 * @param argv - The words after the program's name.
 * @returns The exit code (`errors.ts` has the table).
 */
export async function runCli(argv: readonly string[], outerHost: CliHost): Promise<number> {
  const terminal = await restrictTerminal(outerHost.terminal, wordsBeforeEnd(argv));
  const host = { ...outerHost, terminal };
  let exitCode = 0;
  let helpOnError = '';
  let wrongCommand: Command | null = null;
  const start: StartCommand = async (command, work, isNdjson) => {
    exitCode = await runWork(command, work, host, argv, isNdjson);
  };
  const version = outputOptionsOf(argv).json ? formatJson({ version: host.version }) : host.version;
  const program = buildProgram(version, start, {
    out: (text) => terminal.print(text.replace(/\n$/, '')),
    err: (text) => {
      helpOnError += text;
    },
    columns: () => terminal.columns,
    onUsageError: (command) => {
      wrongCommand = command;
    },
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    const output = outputOptionsOf(argv);
    if (!(error instanceof CommanderError)) return printError(terminal, error, output);
    if (error.exitCode === 0) return 0;
    const { command, unknown } = followWords(program);
    // A group with a default command takes a word that is no command for an argument of that.
    const isArgument = error.code === 'commander.excessArguments' && command.commands.length > 0;
    // Commander would suggest a command and its other name: "one of list, ls".
    if (error.code !== 'commander.help' && error.code !== 'commander.unknownCommand' && !isArgument)
      return printError(terminal, toUsageError(error, wrongCommand ?? program), output);
    if (unknown !== null) return printError(terminal, unknownCommand(command, unknown), output);
    if (output.json) return printError(terminal, missingCommand(command), output);
    terminal.print(helpOnError.trimEnd());
    return 0;
  }
}

async function runWork<Options>(
  command: Command,
  work: CommandWork<Options>,
  host: CliHost,
  argv: readonly string[],
  isNdjson: boolean,
): Promise<number> {
  const options = command.optsWithGlobals<Options & GlobalOptions>();
  const output: OutputOptions = {
    json: options.json === true,
    isNdjson,
    quiet: options.quiet === true,
    verbose: options.verbose === true || options.debug === true,
    debug: options.debug === true,
  };
  const shown = options.events === 'ndjson' ? withoutMessages(host) : host;
  for (const warning of misspelledVariables(host.env)) {
    const wrap = await messageWrapper(shown.terminal);
    for (const line of wrap('warning: ', escapeText(warning))) shown.terminal.log(line);
  }
  const start = (given: CliHost) => openCommandRun(given, output, command.args, options);
  if (output.debug) {
    const { runWithBundle } = await import('./debug/run-with-bundle.ts');
    return runWithBundle(shown, start, work, argv);
  }
  const { run, close } = start(shown);
  try {
    return await work(run);
  } catch (error) {
    return await printError(shown.terminal, error, output);
  } finally {
    await close();
  }
}

/** When stderr carries events, a program reads it: a line for people would break its parser. */
function withoutMessages(host: CliHost): CliHost {
  const ignored = { log: { value: () => undefined }, command: { value: () => undefined } };
  const terminal: CliHost['terminal'] = Object.create(host.terminal, {
    ...ignored,
    canAnimate: { value: false },
  });
  return { ...host, terminal };
}

/** Reads `--json` and its like from words that could not be parsed. */
function outputOptionsOf(argv: readonly string[]): OutputOptions {
  const words = wordsBeforeEnd(argv);
  return {
    json: words.includes('--json'),
    quiet: words.includes('--quiet') || words.includes('-q'),
    verbose: words.includes('--verbose') || words.includes('-v') || words.includes('--debug'),
    debug: words.includes('--debug'),
  };
}

function wordsBeforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/** The command that the words lead to, and the first word that names no command: `nope` in `help nope`. */
function followWords(program: Command): { command: Command; unknown: string | null } {
  let command = program;
  for (const word of program.args) {
    if (word === 'help' || word.startsWith('-')) continue;
    const next = childCalled(command, word);
    if (!next) return { command, unknown: word };
    command = next;
  }
  return { command, unknown: null };
}

function unknownCommand(command: Command, word: string): ListingVideoError {
  const names = command.commands.map((child) => child.name());
  return usageError(`unknown command '${word}'`, nearestHint(word, names, `${pathOf(command)} --help`));
}

function missingCommand(command: Command): ListingVideoError {
  return usageError('a command is missing', `${pathOf(command)} --help`);
}

/** Of the few errors that `CliCommand` does not word itself. */
function toUsageError(error: CommanderError, command: Command): ListingVideoError {
  if (error.code === 'commander.excessArguments') return tooManyArguments(command, command.args);
  return usageError(error.message.split('\n')[0]!.replace(/^error: /, ''), `${pathOf(command)} --help`);
}
