/** What goes to a terminal, and what a terminal of each kind gets. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/cli/terminal/display-width.ts';
import { escapeText, escapeUnsafeJson } from '../../src/cli/terminal/escape-text.ts';
import { listenForInterrupts } from '../../src/cli/terminal/interrupts.ts';
import { createProgressView, formatProgressLine } from '../../src/cli/terminal/progress-view.ts';
import { formatTable, truncate } from '../../src/cli/terminal/table.ts';
import { colorLevel, createTerminal } from '../../src/cli/terminal/terminal.ts';
import { CapturedStream } from './run-cli.ts';

function terminalOf(options: { isTty?: boolean; columns?: number; env?: Record<string, string> } = {}) {
  const { isTty = false, columns = 80, env = {} } = options;
  const stdout = new CapturedStream(isTty, columns);
  const stderr = new CapturedStream(isTty, columns);
  const stdin = Object.assign(new PassThrough(), { isTTY: isTty });
  return { stdout, stderr, terminal: createTerminal({ stdin, stdout, stderr, env }) };
}

describe('colour', () => {
  it.each([
    [{}, true, 1],
    [{}, false, 0],
    [{ NO_COLOR: '1' }, true, 0],
    [{ NO_COLOR: '' }, true, 1],
    [{ TERM: 'dumb' }, true, 0],
    [{ FORCE_COLOR: '1' }, false, 1],
    [{ FORCE_COLOR: '0' }, true, 0],
    [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, 0],
  ])('with %j, terminal %s: %d', (env, isTty, level) => expect(colorLevel(env, isTty)).toBe(level));
});

describe('a terminal', () => {
  it('may prompt and animate when a person sits there', async () => {
    const terminal = terminalOf({ isTty: true }).terminal;
    expect([terminal.canPrompt, terminal.canAnimate]).toEqual([true, true]);
  });

  it.each([{ CI: 'true' }, { TERM: 'dumb' }])('does not animate with %j', async (env) => {
    expect(terminalOf({ isTty: true, env }).terminal.canAnimate).toBe(false);
  });

  it.each(['false', '0', ''])('takes CI=%j for no CI', async (CI) => {
    expect(terminalOf({ isTty: true, env: { CI } }).terminal.isCi).toBe(false);
  });

  it('goes quiet when the reader of stdout has gone, and stays up', async () => {
    const { stdout, terminal } = terminalOf();
    const { print, readerGone, flush } = terminal;
    stdout.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
    expect(readerGone.aborted).toBe(true);
    print('unread');
    await flush();
    expect(stdout.text).toBe('');
  });

  it('does not swallow other failures of stdout', async () => {
    const { stdout } = terminalOf();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    expect(() => stdout.emit('error', full)).toThrow(
      expect.objectContaining({ code: 'disk_full', message: 'cannot write to stdout: the disk is full' }),
    );
    const broken = Object.assign(new Error('i/o error'), { code: 'EIO' });
    expect(() => stdout.emit('error', broken)).toThrow(
      expect.objectContaining({ code: 'output_unwritable', message: 'cannot write to stdout: i/o error' }),
    );
  });
});

describe('progress', () => {
  const steps = [0, 1, 3, 9, 12, 15, 19.9, 20, 55, 55.5, 100].map((percent) => ({
    percent,
    stage: percent < 10 ? 'assets' : 'render',
    etaSeconds: percent === 55 ? 80 : null,
  }));

  it('is a line per stage and per ten per cent in a pipe', async () => {
    const { stderr, terminal } = terminalOf();
    const view = await createProgressView(terminal, 'a.json', false);
    for (const step of steps) view.update(step);
    view.stop();
    expect(stderr.text.trimEnd().split('\n')).toEqual([
      'a.json: 0 %, checking photos',
      'a.json: 12 %, rendering',
      'a.json: 20 %, rendering',
      'a.json: 55 %, rendering, 1 min 20 s left',
      'a.json: 100 %, rendering',
    ]);
  });

  it('is plain lines in CI even on a terminal', async () => {
    const { stderr, terminal } = terminalOf({ isTty: true, env: { CI: '1', NO_COLOR: '1' } });
    const view = await createProgressView(terminal, 'a.json', false);
    for (const step of steps) view.update(step);
    view.stop();
    expect(stderr.text).not.toContain('\u001b');
  });

  it('is a line that moves on a terminal, taken away at the end', async () => {
    const { stderr, terminal } = terminalOf({ isTty: true, columns: 40 });
    const view = await createProgressView(terminal, 'a listing with quite a long name, indeed.json', false);
    view.update(steps[8]!);
    view.stop();
    expect(stderr.text).toContain('⠋ …ith quite a long name, indeed.json');
    expect(stderr.text.endsWith('\u001b[?25h')).toBe(true);
  });

  it.each([
    [80, 'listings/2026/harbor/listing.json: 55 %, rendering, 1 min 20 s left'],
    [55, '…/harbor/listing.json: 55 %, rendering, 1 min 20 s left'],
    [42, '…ng.json: 55 %, rendering, 1 min 20 s left'],
    [36, '55 %, rendering, 1 min 20 s left'],
    [17, '55 %, rendering,…'],
  ])('says how far it is before it says of what, in %d columns', (columns, line) => {
    expect(formatProgressLine('listings/2026/harbor/listing.json', steps[8]!, columns)).toBe(line);
  });

  it('is nothing under --quiet, and escapes its label', async () => {
    const { stderr, terminal } = terminalOf();
    const quiet = await createProgressView(terminal, 'x', true);
    quiet.update(steps[0]!);
    expect(stderr.text).toBe('');
    const view = await createProgressView(terminal, 'x\u001b[2J', false);
    view.update(steps[0]!);
    expect(stderr.text).toContain('x\\x1b[2J: 0 %');
  });
});

describe('escapeText', () => {
  it.each([
    ['plain — ünïcödé שלום 你好 👩‍👩‍👧', 'plain — ünïcödé שלום 你好 👩‍👩‍👧'],
    ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['a\nb\tc\rd\0', 'a\\nb\\tc\\rd\\x00'],
    ['\u009b31m', '\\x9b31m'],
    ['user\u202egpj.exe', 'user\\u202egpj.exe'],
    ['a\u2066b\u2069', 'a\\u2066b\\u2069'],
    ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
    ['\ud800', '\\ud800'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['\u2028', '\\u2028'],
  ])('%j', (text, shown) => expect(escapeText(text)).toBe(shown));
});

it('escapeUnsafeJson keeps the value', () => {
  const value = { a: '\u009b\u202e\u{e0041}\u2028\ud83d x', b: ['\u007f'] };
  const text = escapeUnsafeJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(text)).toEqual(value);
  expect(text).toMatch(/^[\n\u0020-\u007e]*$/);
});

describe('formatTable', () => {
  const rows = [
    { id: 'a1', name: 'short', n: 5 },
    { id: 'b2', name: 'a name that is rather long', n: 12 },
  ];
  const columns = [
    { title: 'ID', text: (row: (typeof rows)[0]) => row.id },
    { title: 'NAME', text: (row: (typeof rows)[0]) => row.name, shrinks: true },
    { title: 'N', text: (row: (typeof rows)[0]) => String(row.n), align: 'right' as const },
  ];

  it('aligns columns', () => {
    expect(formatTable(rows, columns, 80)).toEqual([
      'ID  NAME                         N',
      'a1  short                        5',
      'b2  a name that is rather long  12',
    ]);
  });

  it('shrinks what may shrink', () => {
    expect(formatTable(rows, columns, 20)).toEqual([
      'ID  NAME           N',
      'a1  short          5',
      'b2  a name that…  12',
    ]);
  });

  it('leaves a column out when there is no room at all', () => {
    expect(formatTable(rows, columns, 8)).toEqual(['ID   N', 'a1   5', 'b2  12']);
  });
});

it('counts wide characters as two cells and marks as none', () => {
  expect(['abc', '你好', 'é', '👍', '각', '👩‍👩‍👧', '🏳️‍🌈'].map(displayWidth)).toEqual([3, 4, 1, 2, 2, 2, 2]);
  expect(truncate('你好世界', 5)).toBe('你好…');
  expect(truncate('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5)).toBe('👩‍👩‍👧👩‍👩‍👧…');
});

describe('interrupts', () => {
  it('abort at the first signal and stop at the second, whichever they are', () => {
    const listeners = new Map<string, () => void>();
    let stops = 0;
    const source = {
      on: (name: string, listener: () => void) => listeners.set(name, listener),
      off: (name: string) => listeners.delete(name),
    };
    const { signal, release } = listenForInterrupts(source, () => {
      stops += 1;
    });
    expect([...listeners.keys()]).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
    listeners.get('SIGTERM')!();
    expect([signal.aborted, stops]).toEqual([true, 0]);
    listeners.get('SIGINT')!();
    expect(stops).toBe(1);
    release();
    expect(listeners.size).toBe(0);
  });
});
