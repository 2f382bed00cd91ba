/** `listing-video tasks`: its arguments, options and examples. The work is in the files beside this one. */
import { InvalidArgumentError, Option } from 'commander';
import { TASK_STATES } from '../../task/task.ts';
import { CliCommand } from '../define-command.ts';

const EXAMPLE_ID = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const load = () => import('./manage-tasks.ts');

export const tasksCommand = (): CliCommand =>
  new CliCommand('tasks', 'list, watch, retry and cancel tasks')
    .description(
      'Manages the tasks of every command and server that uses this data folder, also while they run. With --server it ' +
        'manages the tasks of that server: list, get, watch and cancel.',
    )
    .subcommands(list(), get(), watch(), retry(), cancel(), prune())
    .settings('server', 'key')
    .examples({
      'tasks list --state FAILED': 'see the latest failures',
      [`tasks watch ${EXAMPLE_ID}`]: 'follow a running task',
      'tasks list --server https://videos.example.com': 'see the tasks of a server',
    });

function list(): CliCommand {
  return new CliCommand('list', 'list the newest tasks')
    .alias('ls')
    .description('Lists tasks, newest first.')
    .addOption(
      new Option('--state <state>', `list only tasks in this state: ${TASK_STATES.join(', ')}`)
        .choices(TASK_STATES)
        .argParser(parseState),
    )
    .addOption(
      new Option('--limit <n>', 'list at most this many, 1 to 100').default(20).argParser(parseLimit),
    )
    .option('--starting-after <id>', 'start after this task, for the next page')
    .examples({
      'tasks list': 'list the newest twenty',
      'tasks list --state FAILED --limit 5': 'list the last five failures',
      [`tasks list --starting-after ${EXAMPLE_ID}`]: 'list the next page',
    })
    .does(async () => (await load()).listTasks);
}

function get(): CliCommand {
  return new CliCommand('get', 'show one task')
    .alias('show')
    .description('Prints one task: state, progress, results and dropped assets.')
    .argument('<id>', 'id of the task')
    .examples({ [`tasks get ${EXAMPLE_ID} --json`]: 'print it as the API does' })
    .does(async () => (await load()).getTask);
}

function watch(): CliCommand {
  return new CliCommand('watch', 'follow one task, or all of them')
    .description(
      'Shows the progress of a task until it ends. Without an id it follows every pending and running task until none is left.\n' +
        'With --json it prints one line of JSON per change.',
    )
    .argument('[id]', 'id of the task (default: all)')
    .examples({
      [`tasks watch ${EXAMPLE_ID}`]: 'follow a task from another terminal',
      'tasks watch': 'follow all tasks',
    })
    .does(async () => (await import('./watch-tasks.ts')).watchTasks, true);
}

function retry(): CliCommand {
  return new CliCommand('retry', 'run failed tasks again')
    .description(
      'Sets a FAILED task back to PENDING. A task of `create` then runs in this command, a task of the API on the server. ' +
        'With --code or --since it does so for all tasks that match, one after another.',
    )
    .argument('[id]', 'id of the task')
    .option('--code <code>', 'retry all tasks that failed with this code, such as disk_full')
    .option('--since <span>', 'retry all tasks that failed within this time, such as 1h or 2d')
    .settings('templatesDir')
    .examples({
      [`tasks retry ${EXAMPLE_ID}`]: 'try again after you fixed the cause',
      'tasks retry --code render_failed --since 1h': 'retry what failed in the last hour',
    })
    .does(async () => (await import('./retry-tasks.ts')).retryTasks);
}

function cancel(): CliCommand {
  return new CliCommand('cancel', 'stop a task')
    .description('Stops a pending or running task. The task becomes FAILED.')
    .argument('<id>', 'id of the task')
    .examples({
      [`tasks cancel ${EXAMPLE_ID}`]: 'stop it from another terminal',
      [`tasks cancel ${EXAMPLE_ID} --server https://videos.example.com`]: 'stop a task of a server',
    })
    .does(async () => (await load()).cancelTask);
}

function prune(): CliCommand {
  return new CliCommand('prune', 'delete the records of old tasks')
    .description('Deletes the records of tasks that ended long ago. Their videos stay.')
    .option('--older-than <span>', 'delete tasks that ended longer ago than this, such as 30d or 12h', '30d')
    .option('--dry-run', 'delete nothing, and list the tasks')
    .examples({
      'tasks prune': 'delete records older than 30 days',
      'tasks prune --older-than 12h': 'keep only the newest records',
      'tasks prune --dry-run': 'see which records would be deleted',
    })
    .does(async () => (await load()).pruneTasks);
}

function parseState(value: string): string {
  const state = value.toUpperCase();
  if ((TASK_STATES as readonly string[]).includes(state)) return state;
  throw new InvalidArgumentError(`Expected ${TASK_STATES.join(', ')}.`);
}

function parseLimit(value: string): number {
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > 100) throw new InvalidArgumentError('Expected a whole number from 1 to 100.');
  return limit;
}
