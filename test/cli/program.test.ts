/** The frame: help, usage errors, suggestions, global options; and that every example in a help can be parsed. */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { readProject } from '../../src/cli/load-settings.ts';
import { allCommands, buildProgram } from '../../src/cli/program.ts';
import { SETTINGS } from '../../src/platform/settings/setting-table.ts';
import { folderOf, listing } from './listing-files.ts';
import { type AnyJson, run } from './run-cli.ts';

interface Started {
  readonly path: string;
  readonly args: readonly string[];
  readonly options: Record<string, unknown>;
}

/** The program with every action replaced by a note of what would have been done. */
function recordingProgram(): { program: Command; started: Started[]; help: (command: Command) => string } {
  const started: Started[] = [];
  const program = buildProgram(
    '1.0.0',
    async (command) => {
      started.push({ path: pathOf(command), args: command.args, options: command.optsWithGlobals() });
    },
    { out: () => undefined, err: () => undefined, columns: () => 80, onUsageError: () => undefined },
  );
  return { program, started, help: textOfHelp };
}

function textOfHelp(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Words of a shell line: quotes kept together, redirections left out. */
function wordsOf(line: string): string[] {
  const words = [...line.replace(/ <.*$/, '').matchAll(/(?:[^\s"]|"[^"]*")+/g)];
  return words.map(([word]) => word.replaceAll('"', ''));
}

/** Those for people. */
const COMMANDS = allCommands(recordingProgram().program)
  .map(pathOf)
  .filter((path) => !path.includes('__'));

function commandAt(program: Command, path: string): Command {
  return allCommands(program).find((command) => pathOf(command) === path)!;
}

describe('help', () => {
  it('has a page for every command of this issue', () => {
    expect(COMMANDS).toEqual([
      'listing-video',
      'listing-video create',
      'listing-video studio',
      'listing-video demo',
      'listing-video init',
      'listing-video import',
      ...['reso', 'csv'].map((name) => `listing-video import ${name}`),
      'listing-video validate',
      'listing-video tasks',
      ...['list', 'get', 'watch', 'retry', 'cancel', 'prune'].map((name) => `listing-video tasks ${name}`),
      'listing-video templates',
      ...['list', 'show', 'preview', 'validate', 'new'].map((name) => `listing-video templates ${name}`),
      'listing-video mcp',
      'listing-video serve',
      'listing-video worker',
      'listing-video workers',
      'listing-video workers list',
      'listing-video organization',
      ...['create', 'list', 'show', 'grant'].map((name) => `listing-video organization ${name}`),
      'listing-video keys',
      ...['create', 'list', 'revoke'].map((name) => `listing-video keys ${name}`),
      'listing-video webhooks',
      ...['create', 'list', 'rotate', 'delete', 'test', 'deliveries', 'redeliver'].map(
        (name) => `listing-video webhooks ${name}`,
      ),
      'listing-video database',
      'listing-video database migrate',
      'listing-video database import',
      'listing-video storage',
      'listing-video storage prune',
      'listing-video ffmpeg',
      'listing-video ffmpeg show',
      'listing-video ffmpeg install',
      'listing-video fonts',
      ...['list', 'add', 'remove'].map((name) => `listing-video fonts ${name}`),
      'listing-video config',
      ...['list', 'get', 'set', 'unset', 'path'].map((name) => `listing-video config ${name}`),
      ...['', ' show', ' clear'].map((name) => `listing-video cache${name}`),
      'listing-video doctor',
      'listing-video completion',
      'listing-video version',
      'listing-video help',
    ]);
  });

  it.each(COMMANDS)('of `%s` has examples, and each of them is understood', async (path) => {
    const { program } = recordingProgram();
    const lines = [...textOfHelp(commandAt(program, path)).matchAll(/^ +\$ (.+)$/gm)].map(
      (match) => match[1]!,
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const { program: fresh, started } = recordingProgram();
      const [name, ...words] = wordsOf(line);
      expect(name).toBe('listing-video');
      await fresh.parseAsync(words, { from: 'user' });
      expect(started, line).toHaveLength(1);
      expect(started[0]!.path.startsWith(path), line).toBe(true);
    }
  });

  it('names the default and the variable of every setting it offers', () => {
    const { program } = recordingProgram();
    const text = ['create', 'serve', 'database migrate']
      .map((name) => textOfHelp(commandAt(program, `listing-video ${name}`)))
      .join()
      .replace(/\s+/g, ' ');
    for (const { flag, env, defaultText } of Object.values(SETTINGS)) {
      expect(text).toContain(flag);
      expect(text).toContain(`(default: ${defaultText}; env: ${env})`);
    }
  });

  it('goes to stdout and exits 0 when asked for', async () => {
    const cwd = await folderOf();
    for (const argv of [['--help'], ['create', '--help'], ['help', 'create'], ['tasks', 'list', '-h']]) {
      const { exitCode, stdout, stderr } = await run(argv, { cwd });
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toContain('Usage: listing-video');
    }
  });

  it('never runs past a narrow terminal, examples and addresses aside', async () => {
    const { stdout } = await run('create --help', { columns: 70, isTty: true });
    const before = stdout.slice(0, stdout.indexOf('Examples:'));
    expect(Math.max(...before.split('\n').map((line) => line.length))).toBeLessThanOrEqual(70);
  });

  it.each([['--version'], ['-V'], ['version']])('prints the version for %s', async (word) => {
    const { exitCode, stdout } = await run([word]);
    expect([exitCode, stdout]).toEqual([0, '9.8.7\n']);
  });
});

describe('--json', () => {
  it.each([[['--version']], [['-V']], [['version']]])('prints one document with %j', async (words) => {
    const { exitCode, stdout } = await run([...words, '--json']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { schema_version: 1, version: '9.8.7' }]);
  });

  it.each([
    ['help', 'help'],
    ['help create', 'help'],
    ['help batch', 'help'],
    ['completion bash', 'completion'],
  ])('is refused by `%s`, which prints text', async (words, name) => {
    const { exitCode, json, stderr } = await run([...words.split(' '), '--json']);
    expect([exitCode, stderr, json()]).toEqual([
      2,
      '',
      {
        error: {
          code: 'usage',
          message: `${name} prints text, so it cannot be combined with --json`,
          context: { hint: 'leave out --json' },
        },
      },
    ]);
  });
});

describe('a wrong word', () => {
  it.each([
    [['creat', 'x'], "unknown command 'creat'", 'did you mean create?'],
    [['tasks', 'lst'], "unknown command 'lst'", 'did you mean list?'],
    [['help', 'creat'], "unknown command or topic 'creat'", 'did you mean create?'],
    [['help', 'bach'], "unknown command or topic 'bach'", 'did you mean batch?'],
    [['help', 'tasks', 'lst'], "unknown command or topic 'lst'", 'did you mean list?'],
    [['help', 'zzzz'], "unknown command or topic 'zzzz'", 'listing-video --help'],
    [['tasks', 'help', 'lst'], "unknown command 'lst'", 'did you mean list?'],
    [['create', 'x', '--templat', 'y'], "unknown option '--templat'", 'did you mean --template?'],
    [['validate', 'x', '--jsn'], "unknown option '--jsn'", 'did you mean --json?'],
    [['doctor', '--zzz'], "unknown option '--zzz'", 'listing-video doctor --help'],
    [['create'], 'listing-video create needs <listing...>', 'listing-video create --help'],
    [
      ['keys', 'create', '--orgnization', 'x'],
      "unknown option '--orgnization'",
      'did you mean --organization?',
    ],
    [['tasks', 'get'], 'listing-video tasks get needs <id>', 'listing-video tasks get --help'],
    [
      ['tasks', 'get', 'a', 'b'],
      'listing-video tasks get takes 1 argument, found one too many: "b"',
      'listing-video tasks get --help',
    ],
    [['doctor', 'a'], 'takes no arguments, found one too many: "a"', 'listing-video doctor --help'],
    [['create', 'x', '--out'], '--out needs a value: -o, --out <dir>', 'listing-video create --help'],
    [['create', 'x', '--shard', '3/2'], '--shard: expected k/n with k', 'listing-video create --help'],
    [
      ['create', 'x', '--events', 'ndjsn'],
      '--events: expected ndjson, found "ndjsn"',
      'did you mean ndjson?',
    ],
    [
      ['create', 'x', '-q', '-v'],
      '--verbose cannot be combined with --quiet',
      'leave out --verbose or --quiet',
    ],
    [['completion', 'bsh'], '<shell>: expected bash, ', 'did you mean bash?'],
    [['tasks', 'list', '--limit', '0'], 'from 1 to 100', 'listing-video tasks list --help'],
    [['tasks', 'list', '--limit', '1.5'], 'from 1 to 100', 'listing-video tasks list --help'],
    [
      ['tasks', 'list', '--state', 'DONE'],
      'PENDING, RUNNING, FAILED or SUCCEEDED',
      'listing-video tasks list --help',
    ],
  ])('%j exits 2 with a suggestion on stderr', async (argv, message, hint) => {
    const { exitCode, stdout, stderr } = await run(argv);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    // A question is no sentence after `try:`.
    expect(stderr).toContain(hint.endsWith('?') ? `\n  ${hint}\n` : `\n  try: ${hint}`);
  });

  it('is JSON on stdout under --json', async () => {
    const { exitCode, json, stderr } = await run('creat x --json');
    expect([exitCode, stderr]).toEqual([2, '']);
    expect(json()).toEqual({
      error: { code: 'usage', message: "unknown command 'creat'", context: { hint: 'did you mean create?' } },
    });
  });

  it('that is missing under --json is reported with the help of the command it is missing from', async () => {
    const { exitCode, json } = await run('tasks --json');
    expect([exitCode, json().error.context.hint]).toEqual([2, 'listing-video tasks --help']);
  });

  it('is broken between words in a narrow terminal, and not in a pipe', async () => {
    const env = { NO_COLOR: '1', LISTING_VIDEO_QUALTY: 'draft', LISTING_VIDEO_MIN_ASSET: '5' };
    const world = { cwd: await folderOf(), env, columns: 60 };
    const argv = ['tasks', 'retry'];
    const narrow = await run([...argv, 'an-id', '--code', 'disk_full'], { ...world, isTty: true });
    expect(narrow.stderr.split('\n')).toEqual([
      'warning: no setting reads LISTING_VIDEO_QUALTY, did you mean',
      '         LISTING_VIDEO_QUALITY?',
      'warning: no setting reads LISTING_VIDEO_MIN_ASSET, did you',
      '         mean LISTING_VIDEO_MIN_ASSETS?',
      'error: an id cannot be combined with --code or --since',
      '  try: listing-video tasks retry --code disk_full --since 1h',
      '',
    ]);
    const unknown = await run([...argv, '--code', 'zzzzzzz'], {
      ...world,
      env: { NO_COLOR: '1' },
      isTty: true,
    });
    expect(unknown.stderr).toBe(
      'error: --code: no failure has the code "zzzzzzz"\n' +
        '  try: `listing-video tasks list --state FAILED --json`\n       shows failures\n',
    );
    const piped = await run([...argv, '--code', 'zzzzzzz'], world);
    expect(piped.stderr).toContain('FAILED --json` shows failures\n');
    expect(piped.stderr).toContain('did you mean LISTING_VIDEO_QUALITY?\n');
  });

  it('that would drive the terminal is shown escaped', async () => {
    const { stderr } = await run('[2Jx');
    expect(stderr).toContain("unknown command '\\x1b[2Jx'");
  });
});

describe('no word', () => {
  it.each([[[]], [['tasks']], [['config']], [['keys']], [['organization']], [['templates']]])(
    'after %j prints the help on stdout and exits 0',
    async (argv) => {
      const { cwd, exitCode, stdout, stderr } = await run(argv);
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).toBe((await run([...argv, '--help'], { cwd })).stdout);
    },
  );
});

describe('another name of a command', () => {
  it.each([
    ['tasks ls', 'tasks list'],
    [`tasks show ${'0'.repeat(8)}`, `tasks get ${'0'.repeat(8)}`],
    ['templates ls', 'templates list'],
    ['organization ls', 'organization list'],
    ['keys ls', 'keys list'],
    ['config ls', 'config list'],
    ['fonts ls', 'fonts list'],
    ['config show out', 'config get out'],
  ])('`%s` does what `%s` does, and so does its help', async (line, same) => {
    const cwd = await folderOf();
    const results = await Promise.all([line, same].map((text) => run(text.split(' '), { cwd })));
    expect(results[0]!.stdout + results[0]!.stderr).toBe(results[1]!.stdout + results[1]!.stderr);
    const pages = await Promise.all(
      [line, same].map((text) => run(['help', ...text.split(' ').slice(0, 2)], { cwd })),
    );
    expect(pages.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(pages[0]!.stdout).toBe(pages[1]!.stdout);
  });
});

describe('short options', () => {
  it.each([
    [['create', 'x', '-o', 'made', '-f'], { out: 'made', force: true }],
    [['init', '-f', '-y'], { force: true, yes: true }],
    [['doctor', '-o', 'made'], { out: 'made' }],
  ])('%j', async (argv, options) => {
    const { program, started } = recordingProgram();
    await program.parseAsync(argv, { from: 'user' });
    expect(started[0]!.options).toMatchObject(options);
  });
});

describe('a misspelt variable', () => {
  it('is a warning with the right name, and a variable of another tool is none', async () => {
    const env = {
      LISTING_VIDEO_QUALTY: 'high',
      LISTING_VIDEO_MIN_ASSET: '3',
      LISTING_VIDEO_IMAGE: 'registry.example/listing-video',
      LISTING_VIDEO_PORT: '',
      LISTING: 'x',
    };
    const { exitCode, stdout, stderr } = await run('config get quality', {
      env,
    });
    expect([exitCode, stdout]).toEqual([0, 'standard\n']);
    expect(stderr.split('\n')).toEqual([
      'warning: no setting reads LISTING_VIDEO_QUALTY, did you mean LISTING_VIDEO_QUALITY?',
      'warning: no setting reads LISTING_VIDEO_MIN_ASSET, did you mean LISTING_VIDEO_MIN_ASSETS?',
      '',
    ]);
  });
});

describe('colour', () => {
  const env = { FORCE_COLOR: '1' };

  it.each([[['creat', 'x']], [['tasks', 'list', '--limit', '0']], [['help', 'batch']]])(
    'of %j is forced by FORCE_COLOR, and off with --no-color before or after the command',
    async (argv) => {
      const cwd = await folderOf();
      const written = async (words: readonly string[], isTty = true): Promise<string> => {
        const { stdout, stderr } = await run(words, { cwd, env, isTty });
        return stdout + stderr;
      };
      expect(await written(argv)).toContain('\u001b[');
      expect(await written(['--no-color', ...argv])).not.toContain('\u001b[');
      expect(await written([...argv, '--no-color'])).not.toContain('\u001b[');
    },
  );
});

describe('an unforeseen failure', () => {
  const openBackend = async () => {
    throw new TypeError('x is not a function', { cause: new Error('the cause') });
  };

  it('is one line without a stack, exit 1', async () => {
    const { exitCode, stderr } = await run('tasks list', { openBackend });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: unexpected failure: x is not a function');
    expect(stderr).not.toContain('    at ');
  });

  it('shows stack and causes with --debug', async () => {
    const { stderr } = await run('tasks list --debug', { openBackend });
    expect(stderr).toContain('    at ');
    expect(stderr).toContain('the cause');
  });
});

describe('config', () => {
  it('lists every setting with value and source', async () => {
    const cwd = await folderOf({ 'home/config.json': { quality: 'high', 'cache-size': '2GB' } });
    const env = { LISTING_VIDEO_QUALITY: 'draft', LISTING_VIDEO_MIN_ASSETS: '7' };
    const { exitCode, json } = await run(['config', 'list', '--json'], { cwd, env });
    expect(exitCode).toBe(0);
    const rows = Object.fromEntries(json().data.map((row: AnyJson) => [row.key, [row.value, row.source]]));
    expect(rows).toEqual({
      home: [`${cwd}/home`, 'default'],
      out: [`${cwd}/videos`, 'default'],
      template: [null, 'default'],
      'templates-dir': [null, 'default'],
      music: [null, 'default'],
      ratio: [null, 'default'],
      'also-ratio': [null, 'default'],
      length: [null, 'default'],
      for: [null, 'default'],
      'unbranded-keep': [['price', 'status'], 'default'],
      preview: [null, 'default'],
      quality: ['draft', 'env'],
      'min-assets': [7, 'env'],
      untrusted: [false, 'default'],
      concurrency: [2, 'default'],
      ffmpeg: [null, 'default'],
      'cache-size': [2_000_000_000, 'config'],
      pictures: ['auto', 'default'],
      'use-proxy': [null, 'default'],
      server: [null, 'default'],
      key: [null, 'default'],
      database: [null, 'default'],
      render: [true, 'default'],
      storage: [null, 'default'],
      'proxy-files': [false, 'default'],
      port: [8080, 'default'],
      host: ['127.0.0.1', 'default'],
      'public-url': [null, 'default'],
      grace: [30_000, 'default'],
      'time-limit': [null, 'default'],
      'body-limit': [4 * 1024 ** 2, 'default'],
      'queue-limit': [10_000, 'default'],
      'organization-waiting': [null, 'default'],
      'organization-running': [null, 'default'],
      'requests-per-minute': [1200, 'default'],
      'connections-per-address': [100, 'default'],
      'trust-proxy': [[], 'default'],
      keep: [null, 'default'],
      'allow-anonymous': [false, 'default'],
      'allow-assets-from': [[], 'default'],
      'deny-assets-from': [[], 'default'],
      'cors-origin': [[], 'default'],
    });
  });

  it('shows values as they can be set, and where each comes from', async () => {
    const cwd = await folderOf({
      'home/config.json': { 'cache-size': '1.5GB', 'deny-assets-from': 'a.example,b.example' },
    });
    const env = { LISTING_VIDEO_TIME_LIMIT: '90s' };
    const { stdout, stderr } = await run(['config', 'list'], { cwd, env, columns: 200 });
    const rows = new Map(
      stdout.split('\n').map((line) => {
        const [key, value, source] = line.split(/ {2,}/);
        return [key, [value, source]];
      }),
    );
    expect(rows.get('cache-size')).toEqual(['1.5GB', 'config']);
    expect(rows.get('time-limit')).toEqual(['1m30s', 'LISTING_VIDEO_TIME_LIMIT']);
    expect(rows.get('body-limit')).toEqual(['4MiB', 'default']);
    expect(rows.get('grace')).toEqual(['30s', 'default']);
    expect(stderr).toBe(`config: ${cwd}/home/config.json\n`);
    // What is shown can be set again.
    for (const [key, [value, source]] of [...rows].slice(1) as [string, [string, string]][]) {
      if (['SETTING', 'home', undefined].includes(key) || value === '-' || source === undefined) continue;
      expect([key, (await run(['config', 'set', key, value], { cwd })).exitCode]).toEqual([key, 0]);
    }
  });

  it('takes the project file between variable and saved default', async () => {
    const cwd = await folderOf({
      'home/config.json': { quality: 'high', ratio: '1080:1920', template: 'modern' },
      'listing-video.config.json': { $schema: './x.json', quality: 'draft', ratio: '1920:1080', out: 'made' },
      'deep/er/x': '',
    });
    const world = {
      cwd: `${cwd}/deep/er`,
      env: { LISTING_VIDEO_RATIO: '1080:1920', LISTING_VIDEO_HOME: `${cwd}/home` },
    };
    const { json } = await run(['config', 'list', '--json'], world);
    expect(json()).toMatchObject({
      project_file: `${cwd}/listing-video.config.json`,
      config_file: `${cwd}/home/config.json`,
    });
    const rows = new Map(json().data.map((row: AnyJson) => [row.key, [row.value, row.source, row.place]]));
    expect(rows.get('quality')).toEqual(['draft', 'project', `${cwd}/listing-video.config.json`]);
    expect(rows.get('ratio')).toEqual(['1080:1920', 'env', 'LISTING_VIDEO_RATIO']);
    expect(rows.get('template')).toEqual(['modern', 'config', `${cwd}/home/config.json`]);
    expect(rows.get('out')).toEqual([`${cwd}/made`, 'project', `${cwd}/listing-video.config.json`]);
    expect((await run(['config', 'path', '--json'], world)).json()).toMatchObject({
      project_file: `${cwd}/listing-video.config.json`,
    });
    const set = await run(['config', 'set', 'quality', 'high'], world);
    expect(set.stderr).toContain(`but ${cwd}/listing-video.config.json sets quality here and overrides it`);
  });

  it('reads no project file for who accepts listings of strangers', async () => {
    const files = { 'listing-video.config.json': { quality: 'draft' }, 'a.json': listing('A') };
    const qualities = async (words: readonly string[], env = {}, home = {}): Promise<string> => {
      const cwd = await folderOf({ ...files, 'home/config.json': home });
      return (await run(['create', 'a.json', '--dry-run', ...words], { cwd, env })).settings!.quality;
    };
    expect(await qualities([])).toBe('draft');
    expect(await qualities(['--untrusted'])).toBe('standard');
    expect(await qualities([], { LISTING_VIDEO_UNTRUSTED: 'yes' })).toBe('standard');
    expect(await qualities([], {}, { untrusted: true })).toBe('standard');
  });

  it.skipIf(process.platform === 'win32')('reads no more of a project file than its limit', async () => {
    // It says that it has no bytes, and never ends.
    await expect(readProject('/dev/zero')).rejects.toMatchObject({
      code: 'setting_invalid',
      message: expect.stringContaining('larger than 65536 bytes'),
    });
  });

  it('reports every fault of a project file with its line, and never its secret', async () => {
    const text =
      '{\n  "qualty": "high",\n  "ffmpeg": "./evil",\n  "key": "5ecre7-key",\n  "min-assets": 0\n}';
    const cwd = await folderOf({ 'listing-video.config.json': text });
    const file = `${cwd}/listing-video.config.json`;
    for (const words of [
      ['config', 'list'],
      ['tasks', 'list'],
      ['config', 'list', '--debug'],
    ]) {
      const { exitCode, stdout, stderr } = await run(words, { cwd, columns: 400 });
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${file}:2:3: unknown setting "qualty", did you mean "quality"?`);
      expect(stderr).toContain(
        `${file}:3:3: "ffmpeg" is for this machine, and a project can come from strangers`,
      );
      expect(stderr).toContain(`${file}:4:3: "key" is a secret`);
      expect(stderr).toContain(`${file}:5:17: "min-assets": expected a whole number from 1 to 100, found 0`);
      expect(stdout + stderr).not.toContain('5ecre7');
    }
  });

  it('says where the file lies, following --home', async () => {
    const { cwd, stdout } = await run('config path --home elsewhere');
    expect(stdout).toBe(`${cwd}/elsewhere/config.json\n`);
  });

  it('saves a default that later runs use, and prints it', async () => {
    const cwd = await folderOf();
    const words = ['config', 'set'];
    expect((await run([...words, 'cache-size', '2GB'], { cwd })).exitCode).toBe(0);
    expect((await run([...words, 'out', 'made'], { cwd })).exitCode).toBe(0);
    expect((await run([...words, 'preview', 'yes', '--json'], { cwd })).json()).toEqual({
      key: 'preview',
      value: true,
      path: `${cwd}/home/config.json`,
    });
    expect((await run(['config', 'get', 'cache-size'], { cwd })).stdout).toBe('2GB\n');
    expect((await run(['config', 'get', 'out', '--json'], { cwd })).json()).toMatchObject({
      key: 'out',
      value: `${cwd}/made`,
      text: `${cwd}/made`,
      source: 'config',
      place: `${cwd}/home/config.json`,
      unit: null,
    });
  });

  it('saves every setting but home, validated as its flag would be, and shows it with its source', async () => {
    const cwd = await folderOf({ ffmpeg: '', 'own/plain/template.json': {} });
    const words: Record<string, [text: string, value: unknown, bad: string]> = {
      out: ['made', `${cwd}/made`, ''],
      template: ['classic', 'classic', 'clasic'],
      'templates-dir': ['own', `${cwd}/own`, ''],
      music: ['none', 'none', ''],
      ratio: ['1080:1920', '1080:1920', '9:16'],
      'also-ratio': ['1920:1080', '1920:1080', 'both'],
      length: ['normal,15', ['normal', '15s'], '15s,5s'],
      for: ['youtube,mls', ['youtube', 'mls'], 'tiktok,youtub'],
      'unbranded-keep': ['link,open_house', ['link', 'open_house'], 'agent'],
      preview: ['no', false, 'maybe'],
      quality: ['draft', 'draft', 'best'],
      'min-assets': ['5', 5, '0'],
      untrusted: ['yes', true, 'maybe'],
      concurrency: ['3', 3, '65'],
      ffmpeg: ['ffmpeg', `${cwd}/ffmpeg`, 'nowhere'],
      'cache-size': ['1GB', 1e9, '1 parsec'],
      pictures: ['none', 'none', 'ascii'],
      'use-proxy': ['no', false, 'maybe'],
      server: ['https://v.example/api/', 'https://v.example/api', 'v.example'],
      key: ['5ecre7-of-mine', '[hidden]', 'two words'],
      database: ['postgres://me:5ecre7@db/videos', '[hidden]', 'mysql://db/videos'],
      render: ['no', false, 'maybe'],
      storage: ['s3://videos/results', 's3://videos/results', 'https://videos'],
      'proxy-files': ['yes', true, 'maybe'],
      port: ['0', 0, '65536'],
      host: ['0.0.0.0', '0.0.0.0', ''],
      'public-url': ['https://v.example/', 'https://v.example', 'v.example'],
      grace: ['1m', 60_000, '10'],
      'time-limit': ['1h', 3_600_000, '0s'],
      'body-limit': ['1MiB', 1_048_576, '1'],
      'queue-limit': ['7', 7, '0'],
      'organization-waiting': ['5', 5, '0'],
      'organization-running': ['2', 2, '0'],
      'requests-per-minute': ['600', 600, '-1'],
      'connections-per-address': ['20', 20, '0'],
      'trust-proxy': ['10.0.0.7,fd00::/8', ['10.0.0.7', 'fd00::/8'], 'proxy.internal'],
      keep: ['30d', 30 * 86_400_000, '0s'],
      'allow-anonymous': ['true', true, '2'],
      'allow-assets-from': ['10.0.0.0/8,nas', ['10.0.0.0/8', 'nas'], '10.0.0.0/99'],
      'deny-assets-from': ['10.0.0.0/8,nas', ['10.0.0.0/8', 'nas'], '10.0.0.0/99'],
      'cors-origin': ['https://a.example', ['https://a.example'], 'a.example'],
    };
    for (const [key, [text, , bad]] of Object.entries(words)) {
      expect([key, (await run(['config', 'set', key, bad], { cwd })).exitCode]).toEqual([key, 2]);
      expect([key, (await run(['config', 'set', key, text], { cwd })).exitCode]).toEqual([key, 0]);
    }
    const { data } = (await run(['config', 'list', '--json'], { cwd })).json();
    const shown = data.filter(({ key }: { key: string }) => key !== 'home');
    expect(shown.map(({ key, value, source }: Record<string, unknown>) => [key, value, source])).toEqual(
      Object.entries(words).map(([key, [, value]]) => [key, value, 'config']),
    );
  });

  it('never shows a key, wherever it comes from and however wrong it is', async () => {
    const cwd = await folderOf();
    const saved = await run('config set key 5ecre7-saved', {
      cwd,
      env: { LISTING_VIDEO_KEY: '5ecre7-env' },
    });
    const file = path.join(cwd, 'home', 'config.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ key: '5ecre7-saved' });
    // Nobody else on the machine reads it there.
    expect((await stat(file)).mode & 0o077).toBe(0);
    const told = await Promise.all(
      [
        ['config', 'set', 'key', '5ecre7-other', '--json'],
        ['config', 'set', 'key', '5ecre7 with spaces'],
        ['config', 'list'],
        ['config', 'list', '--json'],
        ['config', 'get', 'key'],
        ['config', 'get', 'key', '--json'],
        ['tasks', 'list', '--key', '5ecre7-flag', '--verbose'],
        ['tasks', 'list', '--key', '5ecre7 with spaces', '--debug'],
      ].map((words) => run(words, { cwd })),
    );
    const text = [saved, ...told].map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(text).toContain('key = [hidden]');
    expect(text).toContain('but LISTING_VIDEO_KEY=[hidden] is set here');
    expect(text).not.toContain('5ecre7');
    // Without usable settings the program has no data folder for it.
    const [bundle = ''] = /\S+\.zip/.exec(text) ?? [];
    await rm(bundle);
  });

  it('forgets a saved default, and says when a variable wins over a saved one', async () => {
    const cwd = await folderOf({ 'home/config.json': { quality: 'high', ratio: '1080:1920' } });
    const env = { LISTING_VIDEO_RATIO: '1920:1080' };
    expect((await run(['config', 'unset', 'quality'], { cwd })).exitCode).toBe(0);
    expect((await run(['config', 'get', 'quality'], { cwd })).stdout).toBe('standard\n');
    const { stderr } = await run(['config', 'set', 'ratio', '1080:1920'], { cwd, env });
    expect(stderr).toContain('but LISTING_VIDEO_RATIO=1920:1080 is set here and overrides it');
    expect((await run(['config', 'get', 'ratio'], { cwd })).stdout).toBe('1080:1920\n');
  });

  it('makes no file to forget a default that was never saved', async () => {
    const cwd = await folderOf();
    expect((await run(['config', 'unset', 'quality'], { cwd })).exitCode).toBe(0);
    expect(await readdir(cwd)).toEqual([]);
  });

  it.each([
    [['unset', 'qualty'], 'no setting is called "qualty"', 'did you mean quality?'],
    [['set', 'qualty', 'high'], 'no setting is called "qualty"', 'did you mean quality?'],
    [['get', 'zebra'], 'no setting is called "zebra"', 'config list'],
    [['set', 'template', 'clasic'], 'no template is called "clasic"', 'did you mean classic?'],
    [['set', 'quality', 'best'], '--quality: expected', 'use draft, standard or'],
    [['set', 'home', '/x'], 'home cannot be saved', 'LISTING_VIDEO_HOME'],
  ])('refuses config %j', async (words, message, hint) => {
    const { exitCode, stderr } = await run(['config', ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it('saves no ffmpeg that is not there', async () => {
    const { cwd, exitCode, stderr } = await run('config set ffmpeg nowhere');
    expect([exitCode, stderr]).toEqual([2, `error: --ffmpeg: no such file: ${cwd}/nowhere\n`]);
  });

  it('reports a broken file with its place and leaves it as it is', async () => {
    const { readFile } = await import('node:fs/promises');
    const cwd = await folderOf({ 'home/config.json': '{\n  "quality": draft\n}' });
    const { exitCode, stderr } = await run(['config', 'list'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${cwd}/home/config.json:2:14`);
    expect(await readFile(`${cwd}/home/config.json`, 'utf8')).toBe('{\n  "quality": draft\n}');
  });

  it('reports a bad value with file and key, and warns of a key it does not know', async () => {
    const cwd = await folderOf({ 'home/config.json': { qualty: 'high', concurrency: 'lots' } });
    const { exitCode, stderr } = await run(['config', 'list'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      `"concurrency" in ${cwd}/home/config.json: expected a whole number from 1 to 64`,
    );
    expect(stderr).toContain('unknown setting "qualty", did you mean "quality"?');
  });
});
