/** `listing-video tasks`: the store's tasks, from any terminal. The work is in `./manage-tasks.ts`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { TASK_STATES } from '../../task/task.ts';
import type { CommandRun } from '../command-run.ts';
import {
  addExamples,
  addSettings,
  type CommandDefinition,
  type StartCommand,
  startsWith,
} from '../define-command.ts';

/** See the file's head. */
export const tasksCommand: CommandDefinition = (start) => {
  const command = new Command('tasks')
    .summary('see and drive the tasks of this home')
    .description(
      'The tasks of every command and server that shares this home, also while they run; with --server, those of a server\n' +
        'elsewhere, as far as its API goes: list, get and watch.',
    );
  for (const define of [list, get, watch, retry, cancel, prune]) command.addCommand(define(start));
  addSettings(command, ['server', 'key']);
  return addExamples(command, [
    ['listing-video tasks list --state FAILED', 'what went wrong lately'],
    ['listing-video tasks watch 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', 'follow a running task'],
    ['listing-video tasks list --server https://videos.example.com', 'those of a server elsewhere'],
  ]);
};

function list(start: StartCommand): Command {
  const command = new Command('list')
    .summary('the newest tasks')
    .description('Lists tasks, newest first.')
    .addOption(
      new Option('--state <state>', `only tasks in this state: ${TASK_STATES.join(', ')}`)
        .choices(TASK_STATES)
        .argParser(parseState),
    )
    .addOption(new Option('--limit <n>', 'how many, 1 to 100').default(20).argParser(parseLimit))
    .option('--starting-after <id>', 'the page that begins after this task');
  addExamples(command, [
    ['listing-video tasks list', 'the newest twenty'],
    ['listing-video tasks list --state FAILED --limit 5', 'the last five that failed'],
    ['listing-video tasks list --starting-after 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', 'the next page'],
  ]);
  return startsWith(command, start, work('listTasks'));
}

function get(start: StartCommand): Command {
  const command = new Command('get')
    .summary('one task')
    .description('Prints one task: state, progress, results and dropped assets.')
    .argument('<id>', 'id of the task');
  addExamples(command, [
    ['listing-video tasks get 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00 --json', 'as the API shows it'],
  ]);
  return startsWith(command, start, work('getTask'));
}

function watch(start: StartCommand): Command {
  const command = new Command('watch')
    .summary('follow a task to its end, or all of them')
    .description(
      'Shows the progress of a task until it has ended; without an id, of every task that waits or runs, until none is\n' +
        'left. With --json: one line of JSON per change.',
    )
    .argument('[id]', 'id of the task (default: all)');
  addExamples(command, [
    ['listing-video tasks watch 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', 'from another terminal'],
    ['listing-video tasks watch', 'everything that is going on'],
  ]);
  return startsWith(command, start, async (run) => {
    if (run.args.length > 0) return (await import('./manage-tasks.ts')).watchTask(run);
    return (await import('./watch-tasks.ts')).watchTasks(run);
  });
}

function retry(start: StartCommand): Command {
  const command = new Command('retry')
    .summary('run a failed task again')
    .description(
      'Puts a FAILED task back to PENDING. A task made by `create` is run right here; any other is taken up by the server.',
    )
    .argument('<id>', 'id of the task');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video tasks retry 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', 'once its cause is mended'],
  ]);
  return startsWith(command, start, work('retryTask'));
}

function cancel(start: StartCommand): Command {
  const command = new Command('cancel')
    .summary('stop a task')
    .description(
      'Ends a task that waits, and asks the process of a running one to stop. The task becomes FAILED.',
    )
    .argument('<id>', 'id of the task');
  addExamples(command, [
    ['listing-video tasks cancel 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00', 'from another terminal'],
  ]);
  return startsWith(command, start, work('cancelTask'));
}

function prune(start: StartCommand): Command {
  const command = new Command('prune')
    .summary('forget old tasks')
    .description('Removes the records of tasks that ended long ago. Videos stay where they are.')
    .addOption(
      new Option('--older-than <span>', 'ended before this long, such as 30d or 12h')
        .default('30d')
        .argParser(parseSpan),
    );
  addExamples(command, [
    ['listing-video tasks prune', 'what ended more than 30 days ago'],
    ['listing-video tasks prune --older-than 12h', 'all but the newest'],
  ]);
  return startsWith(command, start, work('pruneTasks'));
}

function work(name: keyof typeof import('./manage-tasks.ts')) {
  return async (run: CommandRun): Promise<number> => {
    const tasks = await import('./manage-tasks.ts');
    return tasks[name](run);
  };
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

function parseSpan(value: string): string {
  return value;
}
