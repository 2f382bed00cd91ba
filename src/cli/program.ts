/** The whole command line: joins the commands, runs one, turns what it throws into words and an exit code. */
import { Command, CommanderError, Option } from 'commander';
import type { ListingVideoError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';
import { type ResolvedSettings, settingValues } from '../settings/resolve-settings.ts';
import { SETTING_NAMES } from '../settings/setting-table.ts';
import type { Backend } from '../wiring/backend.ts';
import { keysCommand } from './accounts/keys-command.ts';
import { organizationCommand } from './accounts/organization-command.ts';
import { isUsageError, type OutputOptions, printError, usageError } from './cli-error.ts';
import type { CliHost, CommandRun, CommandWork, SettingFlags } from './command-run.ts';
import { completeCommand, completionCommand } from './completion/command.ts';
import { configCommand } from './config/command.ts';
import { createCommand } from './create/command.ts';
import { addExamples, addSettings, type CommandDefinition, type StartCommand } from './define-command.ts';
import { doctorCommand } from './doctor/command.ts';
import { helpCommand } from './help/command.ts';
import { topicLines } from './help/topics.ts';
import { initCommand } from './init/command.ts';
import { INTERRUPTED_EXIT_CODE } from './interrupts.ts';
import { serveCommand } from './serve/command.ts';
import { tasksCommand } from './tasks/command.ts';
import { templatesCommand } from './templates/command.ts';
import { validateCommand } from './validate/command.ts';

/** In the order of the help. */
const COMMANDS: readonly CommandDefinition[] = [
  createCommand,
  initCommand,
  validateCommand,
  tasksCommand,
  templatesCommand,
  serveCommand,
  organizationCommand,
  keysCommand,
  configCommand,
  doctorCommand,
  completionCommand,
  helpCommand,
];

/** For help and manual. */
export const EXIT_CODES = `Exit codes:
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
    .addOption(new Option('-v, --verbose', 'print what happens inside too').conflicts('quiet'))
    .option('--debug', 'the same with stack traces; a command that fails leaves a bundle to report it with');
  addSettings(program, ['home']);
  addExamples(program, [
    ['listing-video create listing.json', 'render every agent of a listing'],
    ['listing-video validate listings/', 'check all listings of a folder'],
    ['listing-video doctor', 'see whether this machine is ready'],
  ]);
  program.addHelpText('after', `\n${topicLines()}\n\n${EXIT_CODES}`);
  program.helpCommand(false);
  for (const define of COMMANDS) program.addCommand(define(start));
  program.addCommand(completeCommand(start), { hidden: true });
  for (const command of allCommands(program)) {
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
 * @returns The exit code (`errors.ts` has the table).
 */
export async function runCli(argv: readonly string[], host: CliHost): Promise<number> {
  const { terminal } = host;
  let exitCode = 0;
  let helpOnError = '';
  let misused = 'listing-video';
  const start: StartCommand = async (command, work) => {
    exitCode = await runWork(command, work, host, argv);
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
    terminal.log(helpOnError.trimEnd());
    return 2;
  }
}

async function runWork(
  command: Command,
  work: CommandWork,
  surroundings: CliHost,
  argv: readonly string[],
): Promise<number> {
  const options = command.optsWithGlobals();
  const host = options.events === 'ndjson' ? withoutMessages(surroundings) : surroundings;
  const output: OutputOptions = {
    json: options.json === true,
    isNdjson: pathOf(command) === 'listing-video tasks watch',
    quiet: options.quiet === true,
    verbose: options.verbose === true || options.debug === true,
    debug: options.debug === true,
  };
  if (output.debug) return runRecorded(command, work, host, output, argv);
  const { run, close } = toCommandRun(command, options, output, host);
  try {
    return await work(run);
  } catch (error) {
    return printError(host.terminal, error, output);
  } finally {
    await close();
  }
}

/** Runs with everything remembered, and leaves a bundle of it when it fails. */
async function runRecorded(
  command: Command,
  work: CommandWork,
  host: CliHost,
  output: OutputOptions,
  argv: readonly string[],
): Promise<number> {
  const { recordTerminal } = await import('./debug/record-terminal.ts');
  const { terminal, lines } = recordTerminal(host.terminal);
  const { run, close } = toCommandRun(command, command.optsWithGlobals(), output, { ...host, terminal });
  const startedMs = host.nowMs();
  let error: unknown;
  try {
    const exitCode = await work(run).catch((thrown: unknown) => {
      error = thrown;
      return printError(terminal, thrown, output);
    });
    // Who interrupts knows why; what a person mistyped needs no report.
    if (exitCode === 0 || exitCode === INTERRUPTED_EXIT_CODE || isUsageError(error)) return exitCode;
    const { reportBundle } = await import('./debug/report-bundle.ts');
    await reportBundle(run, { argv, exitCode, error, startedMs, lines: lines() });
    return exitCode;
  } finally {
    await close();
  }
}

/** Where stderr carries events, a line for people would be one that no program can read. */
function withoutMessages(host: CliHost): CliHost {
  const muted = { log: { value: () => undefined }, command: { value: () => undefined } };
  const quiet = { canAnimate: { value: false } };
  return { ...host, terminal: Object.create(host.terminal, { ...muted, ...quiet }) as CliHost['terminal'] };
}

function toCommandRun(
  command: Command,
  options: Readonly<Record<string, unknown>>,
  output: OutputOptions,
  host: CliHost,
): { run: CommandRun; close: () => Promise<void> } {
  const { terminal } = host;
  let backend: Promise<Backend> | undefined;
  let resolved: Promise<ResolvedSettings> | undefined;
  const run: CommandRun = {
    host,
    terminal,
    output,
    signal: host.interrupted,
    args: command.args,
    options,
    info: (line) => {
      if (!output.quiet) terminal.log(line);
    },
    resolvedSettings: () => {
      resolved ??= loadSettings(run);
      return resolved;
    },
    settings: async () => settingValues(await run.resolvedSettings()),
    backend: () => {
      backend ??= openBackend(run);
      return backend;
    },
  };
  const close = async (): Promise<void> => {
    const opened = await backend?.catch(() => undefined);
    await opened?.close();
  };
  return { run, close };
}

async function openBackend(run: CommandRun): Promise<Backend> {
  const { formatLogLine } = await import('./terminal/format-log-line.ts');
  return run.host.openBackend(await run.settings(), {
    signal: run.signal,
    logger: {
      debug: (message, facts) => {
        if (run.output.verbose) run.terminal.log(formatLogLine('debug', message, facts));
      },
      warn: (message, facts) => run.info(formatLogLine('warning', message, facts)),
    },
  });
}

async function loadSettings({ options, host, output, terminal }: CommandRun): Promise<ResolvedSettings> {
  const { loadResolvedSettings } = await import('./load-settings.ts');
  const resolved = await loadResolvedSettings(flagsOf(options), host);
  if (output.verbose) {
    const { settingLines } = await import('./verbose-lines.ts');
    for (const line of settingLines(resolved)) terminal.log(line);
  }
  return resolved;
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
    verbose: words.includes('--verbose') || words.includes('-v') || words.includes('--debug'),
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
