/** A terminal that also records what is printed, for the bundle of a failure. */
import type { Terminal } from '../terminal/terminal.ts';

/** Keeps the newest lines: a batch of thousands would fill the memory. */
const MAX_LINES = 20_000;

/** A recording copy of `terminal`, and the lines so far, each after `out: ` or `err: `. */
export function recordTerminal(terminal: Terminal): { terminal: Terminal; lines: () => readonly string[] } {
  const lines: string[] = [];
  const keep = (stream: string, line: string): void => {
    lines.push(`${stream}: ${line}`);
    if (lines.length > MAX_LINES) lines.splice(0, MAX_LINES / 2);
  };
  const recording = {
    print: (line: string) => {
      keep('out', line);
      terminal.print(line);
    },
    log: (line: string) => {
      keep('err', line);
      terminal.log(line);
    },
  };
  // Getters such as the width still read the real terminal.
  return {
    terminal: Object.assign(Object.create(terminal) as Terminal, recording),
    lines: () => lines,
  };
}
