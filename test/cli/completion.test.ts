/** Tab in a shell: what is offered where, from which sources, and that the scripts for the shells bring it there. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allCommands, buildProgram } from '../../src/cli/program.ts';
import { createTestAccounts } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { aPayload } from '../video/a-payload.ts';
import { folderOf, listing } from './listing-files.ts';
import { engineOver, type FakeWorld, outcomeOf, run } from './run-cli.ts';

/** The words offered, and `:files`, `:folders` or `:none` as the last. */
async function offered(words: readonly string[], world?: Partial<FakeWorld>): Promise<string[]> {
  const cwd = world?.cwd ?? (await folderOf({ 'home/config.json': {} }));
  const { exitCode, stdout, stderr } = await run(['__complete', '--', ...words], { ...world, cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0]!);
}

describe('commands and options', () => {
  it('of every command are offered, and those of people only', async () => {
    const nothing = (): void => undefined;
    const program = buildProgram('1', async () => undefined, {
      ...{ out: nothing, err: nothing, onUsageError: nothing },
      columns: () => 80,
    });
    const commands = allCommands(program).filter(({ commands: { length } }) => length > 0);
    for (const command of commands) {
      const words = command === program ? [] : [command.name()];
      const children = command.commands.map((child) => child.name()).filter((name) => !name.startsWith('__'));
      expect(await offered([...words, ''])).toEqual([...new Set([...children, 'help']), ':none']);
    }
  });

  it.each([
    [['se'], ['serve', ':none']],
    [
      ['help', 'ke'],
      ['keys', ':none'],
    ],
    [
      ['help', 'se'],
      ['serve', 'settings', ':none'],
    ],
    [
      ['help', 'tasks', 'c'],
      ['cancel', ':none'],
    ],
    [
      ['tasks', 'help', 'c'],
      ['cancel', ':none'],
    ],
    [
      ['keys', 'create', '--'],
      ['--organization', '--read-only', '--operator', '--expires', '--help'],
    ],
    [
      ['serve', '--allow'],
      ['--allow-anonymous', '--allow-assets-from', ':none'],
    ],
    [
      ['--json', 'organization', 'gr'],
      ['grant', ':none'],
    ],
    [
      ['tasks', 'list', '--state', 'F'],
      ['FAILED', ':none'],
    ],
    [
      ['create', '--quality=d'],
      ['--quality=draft', ':none'],
    ],
    [['create', '--out', ''], [':folders']],
    [['create', 'li'], [':files']],
    [['create', '--', '--'], [':files']],
    [['serve', ''], [':none']],
    [['nonsense', ''], [':none']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'powershell', ':none'],
    ],
    [
      ['tasks', 'ls', '--sta'],
      ['--state', '--starting-after', ':none'],
    ],
  ])('%j', async (words, first) => {
    expect((await offered(words)).slice(0, first.length)).toEqual(first);
  });
});

describe('values', () => {
  it('of settings: those that can be saved, and what each can be', async () => {
    expect(await offered(['config', 'get', 'ho'])).toEqual(['home', 'host', ':none']);
    expect(await offered(['fonts', 'add', 'ja', 'k'])).toEqual(['ko', 'ka', 'kn', 'km', ':none']);
    expect(await offered(['config', 'set', 'ho'])).toEqual(['host', ':none']);
    expect(await offered(['config', 'set', 'pictures', 'k'])).toEqual(['kitty', ':none']);
    expect(await offered(['config', 'set', 'allow-anonymous', ''])).toEqual(['true', 'false', ':none']);
    expect(await offered(['config', 'set', 'template', ''])).toContain('classic');
    expect(await offered(['config', 'set', 'ffmpeg', ''])).toEqual([':files']);
  });

  it('of templates', async () => {
    expect(await offered(['create', '--template', 'cl'])).toEqual(['classic', ':none']);
  });

  it('of tasks: those the command can do something with, the newest first', async () => {
    const store = createMemoryTaskStore();
    const engine = engineOver(store, async ({ payload }) => {
      if (payload.listing.id === 'bad') throw new Error('bad');
      return outcomeOf(payload);
    });
    const ids: string[] = [];
    for (const name of ['good', 'bad', 'waiting']) {
      const payload = aPayload(listing(name), '/videos');
      const { id } = await engine.submit({ origin: 'cli', organizationId: null, payload });
      if (name !== 'waiting') await engine.runTask(id);
      ids.push(id);
    }
    const [good, bad, waiting] = ids as [string, string, string];
    expect(await offered(['tasks', 'get', ''], { store })).toEqual([waiting, bad, good, ':none']);
    expect(await offered(['tasks', 'retry', ''], { store })).toEqual([bad, ':none']);
    expect(await offered(['tasks', 'cancel', ''], { store })).toEqual([waiting, ':none']);
  });

  it('of organizations and keys: those that are still good', async () => {
    const accounts = createTestAccounts({ tasks: createMemoryTaskStore() });
    const { id } = await accounts.createOrganization({ name: 'Harbour \u001b[2JHomes' });
    const good = await accounts.createKey({ organizationId: id });
    const old = await accounts.createKey({ organizationId: id });
    await accounts.revokeKey(old.id);
    const world = { accounts, cwd: await folderOf({ 'home/config.json': {} }) };
    for (const words of [
      ['keys', 'create'],
      ['keys', 'list'],
      ['organization', 'grant', '5'],
    ]) {
      expect(await offered([...words, '--organization', 'org_'], world)).toEqual(
        expect.arrayContaining([id, 'org_default', ':none']),
      );
    }
    expect(await offered(['keys', 'revoke', ''], world)).toEqual([good.id, ':none']);
    const { stdout } = await run(['__complete', '--', 'organization', 'show', '--organization', ''], {
      ...world,
    });
    expect(stdout).toContain('Harbour \\x1b[2JHomes');
  });

  it('are none where there is no home yet, and none is made', async () => {
    const cwd = await folderOf();
    expect(await offered(['keys', 'revoke', ''], { cwd })).toEqual([':none']);
    expect(await readdir(cwd)).toEqual([]);
  });

  it('are none where nothing can be read', async () => {
    const openBackend = () => Promise.reject(new Error('broken'));
    expect(await offered(['tasks', 'get', ''], { openBackend })).toEqual([':none']);
    const cwd = await folderOf({ 'home/config.json': '{' });
    expect(await offered(['keys', 'revoke', ''], { cwd })).toEqual([':none']);
  });
});

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));

/** Runs a line of a shell in a folder where `listing-video` is this program. Needs the build. */
async function inShell(shell: readonly string[], line: string): Promise<string[]> {
  const program = `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`;
  const cwd = await folderOf({ 'bin/listing-video': program, 'listings/x.json': {} });
  spawnSync('chmod', ['+x', 'bin/listing-video'], { cwd });
  const env = { PATH: `${cwd}/bin:${process.env.PATH}`, HOME: cwd, LISTING_VIDEO_HOME: `${cwd}/home` };
  const [command = '', ...words] = shell;
  const { stdout, stderr } = spawnSync(command, [...words, line], { cwd, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trimEnd().split('\n');
}

describe('in bash', () => {
  it.each([
    [['keys', 'r'], ['revoke']],
    [['config', 'set', 'pictures', 'ki'], ['kitty']],
    // bash breaks words at = and has the part before it on the line already.
    [['create', '--ratio', '=', '1080'], ['1080:1920']],
  ])('%j', async (words, found) => {
    const given = ['listing-video', ...words].map((word) => `"${word}"`).join(' ');
    const line = `source <(listing-video completion bash); COMP_WORDS=(${given}); COMP_CWORD=${words.length}
      _listing_video listing-video; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(await inShell(['bash', '-c'], line)).toEqual(found);
  });
});

function isOnPath(program: string): boolean {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.some((at) => existsSync(path.join(at, program)));
}

describe.skipIf(!isOnPath('fish'))('in fish', () => {
  it('offers words with what they are for, and folders', async () => {
    const load = 'listing-video completion fish | source';
    expect(await inShell(['fish', '-c'], `${load}; complete -C "listing-video keys r"`)).toEqual([
      'revoke\tend a key',
    ]);
    expect(await inShell(['fish', '-c'], `${load}; complete -C "listing-video create --out li"`)).toEqual([
      'listings/',
    ]);
  });
});

describe('in PowerShell', () => {
  it('the script hands over the words, and an option for the empty word, which old versions lose', async () => {
    const { exitCode, stdout } = await run('completion powershell');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "Register-ArgumentCompleter -Native -CommandName 'listing-video' -ScriptBlock {",
    );
    expect(stdout).toContain("& $commandAst.GetCommandName() @start '--' @typed");
    // Nothing that is typed runs as code.
    expect(stdout.replace(/^#.*$/gm, '')).not.toMatch(/Invoke-Expression|iex/);
    for (const [open, close] of ['{}', '()', '[]'])
      expect(stdout.split(open!).length, `${open}${close}`).toBe(stdout.split(close!).length);
  });

  it('--empty-word stands for the word after a space', async () => {
    const cwd = await folderOf();
    for (const words of [['keys'], ['create', '--ratio']]) {
      const { stdout } = await run(['__complete', '--empty-word', '--', ...words], { cwd });
      expect(stdout).toBe((await run(['__complete', '--', ...words, ''], { cwd })).stdout);
      expect(stdout).toMatch(/^(create|1920:1080)\t/);
    }
  });

  it.skipIf(!isOnPath('pwsh'))('offers words and folders', async () => {
    const complete = (line: string) =>
      `listing-video completion powershell | Out-String | Invoke-Expression
      (TabExpansion2 '${line}' ${line.length}).CompletionMatches | ForEach-Object { $_.CompletionText }`;
    const shell = ['pwsh', '-NoProfile', '-Command'];
    expect(await inShell(shell, complete('listing-video keys r'))).toEqual(['revoke']);
    expect(await inShell(shell, complete('listing-video completion '))).toContain('powershell');
    expect((await inShell(shell, complete('listing-video create --out li')))[0]).toMatch(/listings/);
  });
});
