/**
 * A real terminal for tests: the program in a pseudo terminal (node-pty, prebuilt in its npm package), its output drawn
 * by an emulator (xterm.js without a window), so that a test reads the screen as a person would. Nothing here sleeps.
 */
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { onTestFinished } from 'vitest';

export const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));

/** Keys as a terminal sends them. */
export const KEYS = {
  enter: '\r',
  ctrlC: '\u0003',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  backspace: '\u007f',
} as const;

export interface SessionOptions {
  readonly cwd: string;
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface TerminalSession {
  /** Every byte so far. */
  readonly raw: () => string;
  /** The lines a person sees, with what has scrolled away above, without empty lines at the end. */
  readonly screen: () => string;
  /** Resolves when the screen shows this; rejects with the screen when the program ends before. */
  readonly shows: (what: string | RegExp) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** Resolves when the program has ended and all it wrote is drawn. */
  readonly ended: Promise<number>;
}

/** Starts `command` with `words`; the program is ended with the test. */
export function startSession(
  command: string,
  words: readonly string[],
  options: SessionOptions,
): TerminalSession {
  const { cwd, columns = 80, rows = 30, env = {} } = options;
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
  const base = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: cwd };
  const pty: IPty = spawn(command, [...words], { cols: columns, rows, cwd, env: { ...base, ...env } });
  let raw = '';
  let isOver = false;
  let look: () => void = () => undefined;
  pty.onData((text) => {
    raw += text;
    emulator.write(text, () => look());
  });
  // What a terminal answers when it is asked (its size, where its cursor is) goes back to the program.
  emulator.onData((answer) => pty.write(answer));
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      emulator.write('', () => {
        isOver = true;
        look();
        resolve(exitCode);
      });
    });
  });
  onTestFinished(() => {
    if (!isOver) pty.kill('SIGKILL');
    emulator.dispose();
  });

  const screen = (): string => {
    const { active } = emulator.buffer;
    const lines = Array.from({ length: active.length }, (_, index) =>
      active.getLine(index)?.translateToString(true),
    );
    return lines.join('\n').trimEnd();
  };
  const shows = (what: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      look = () => {
        const text = screen();
        if (typeof what === 'string' ? text.includes(what) : what.test(text)) resolve();
        else if (isOver) reject(new Error(`the program ended without showing ${what}:\n${text}`));
      };
      look();
    });
  return {
    raw: () => raw,
    screen,
    shows,
    type: (keys) => pty.write(keys),
    resize: (wide, high) => {
      emulator.resize(wide, high);
      pty.resize(wide, high);
    },
    ended,
  };
}

/** Starts the built program. */
export function startProgram(words: readonly string[], options: SessionOptions): TerminalSession {
  return startSession(process.execPath, [LAUNCHER, ...words], options);
}
