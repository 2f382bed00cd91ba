/** A terminal that also remembers what it was given, for the bundle of a failure. */
import type { Terminal } from '../terminal/terminal.ts';

/** What was printed last matters most; a batch of thousands would otherwise fill the memory. */
const MAX_LINES = 20_000;

/** The twin of `terminal`, and the lines so far, each with `out: ` or `err: ` before it. */
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
  // Getters such as the width go on asking the real one.
  return {
    terminal: Object.assign(Object.create(terminal) as Terminal, recording),
    lines: () => lines,
  };
}
