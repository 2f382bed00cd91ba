/** `listing-video tasks`: words and options. The work is in `./manage-tasks.ts` and `./watch-tasks.ts`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { TASK_STATES, type TaskState } from '../../task/task.ts';
import type { CommandRun } from '../command-run.ts';
import {
  addExamples,
  addSettings,
  type CommandDefinition,
  type StartCommand,
  startsWith,
} from '../define-command.ts';

/** Options of `tasks list`. */
export interface ListOptions {
  readonly state?: TaskState;
  readonly limit: number;
  readonly startingAfter?: string;
}

/** Options of `tasks prune`. */
export interface PruneOptions {
  readonly olderThan: string;
}

const EXAMPLE_ID = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const load = () => import('./manage-tasks.ts');

/** Defines the command. */
export const tasksCommand: CommandDefinition = (start) => {
  const command = new Command('tasks')
    .summary('list, watch, retry and cancel tasks')
    .description(
      'Manages the tasks of every command and server that uses this data folder, also while they run. With --server it reads ' +
        'the tasks of that server: list, get and watch.',
    );
  for (const define of [list, get, watch, retry, cancel, prune]) command.addCommand(define(start));
  addSettings(command, ['server', 'key']);
  return addExamples(command, [
    ['listing-video tasks list --state FAILED', 'see the latest failures'],
    [`listing-video tasks watch ${EXAMPLE_ID}`, 'follow a running task'],
    ['listing-video tasks list --server https://videos.example.com', 'see the tasks of a server'],
  ]);
};

function list(start: StartCommand): Command {
  const command = new Command('list')
    .summary('list the newest tasks')
    .description('Lists tasks, newest first.')
    .addOption(
      new Option('--state <state>', `list only tasks in this state: ${TASK_STATES.join(', ')}`)
        .choices(TASK_STATES)
        .argParser(parseState),
    )
    .addOption(
      new Option('--limit <n>', 'list at most this many, 1 to 100').default(20).argParser(parseLimit),
    )
    .option('--starting-after <id>', 'start after this task, for the next page');
  addExamples(command, [
    ['listing-video tasks list', 'list the newest twenty'],
    ['listing-video tasks list --state FAILED --limit 5', 'list the last five failures'],
    [`listing-video tasks list --starting-after ${EXAMPLE_ID}`, 'list the next page'],
  ]);
  return startsWith<ListOptions>(command, start, async (run) => (await load()).listTasks(run));
}

function get(start: StartCommand): Command {
  const command = new Command('get')
    .summary('show one task')
    .description('Prints one task: state, progress, results and dropped assets.')
    .argument('<id>', 'id of the task');
  addExamples(command, [[`listing-video tasks get ${EXAMPLE_ID} --json`, 'print it as the API does']]);
  return startsWith(command, start, async (run) => (await load()).getTask(run));
}

function watch(start: StartCommand): Command {
  const command = new Command('watch')
    .summary('follow one task, or all of them')
    .description(
      'Shows the progress of a task until it ends. Without an id it follows every pending and running task until none is left.\n' +
        'With --json it prints one line of JSON per change.',
    )
    .argument('[id]', 'id of the task (default: all)');
  addExamples(command, [
    [`listing-video tasks watch ${EXAMPLE_ID}`, 'follow a task from another terminal'],
    ['listing-video tasks watch', 'follow all tasks'],
  ]);
  const work = async (run: CommandRun) => {
    if (run.args.length > 0) return (await load()).watchTask(run);
    return (await import('./watch-tasks.ts')).watchTasks(run);
  };
  return startsWith(command, start, work, true);
}

function retry(start: StartCommand): Command {
  const command = new Command('retry')
    .summary('run a failed task again')
    .description(
      'Sets a FAILED task back to PENDING. A task that `create` made runs right here, any other on the server.',
    )
    .argument('<id>', 'id of the task');
  addSettings(command, ['templatesDir']);
  addExamples(command, [[`listing-video tasks retry ${EXAMPLE_ID}`, 'try again after you fixed the cause']]);
  return startsWith(command, start, async (run) => (await load()).retryTask(run));
}

function cancel(start: StartCommand): Command {
  const command = new Command('cancel')
    .summary('stop a task')
    .description('Stops a pending or running task. The task becomes FAILED.')
    .argument('<id>', 'id of the task');
  addExamples(command, [[`listing-video tasks cancel ${EXAMPLE_ID}`, 'stop it from another terminal']]);
  return startsWith(command, start, async (run) => (await load()).cancelTask(run));
}

function prune(start: StartCommand): Command {
  const command = new Command('prune')
    .summary('delete the records of old tasks')
    .description('Deletes the records of tasks that ended long ago. Their videos stay.')
    .option('--older-than <span>', 'delete tasks that ended longer ago than this, such as 30d or 12h', '30d');
  addExamples(command, [
    ['listing-video tasks prune', 'delete records older than 30 days'],
    ['listing-video tasks prune --older-than 12h', 'keep only the newest records'],
  ]);
  return startsWith<PruneOptions>(command, start, async (run) => (await load()).pruneTasks(run));
}

function parseState(value: string): string {
  const state = value.toUpperCase();
  if ((TASK_STATES as readonly string[]).includes(state)) return state;
  throw new InvalidArgumentError(`Allowed choices are ${TASK_STATES.join(', ')}.`);
}

function parseLimit(value: string): number {
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > 100) throw new InvalidArgumentError('Expected a whole number from 1 to 100.');
  return limit;
}
