/** A terminal for a command that another one calls: what it prints goes to the caller. */
import { Readable, Writable } from 'node:stream';
import { createTerminal, type Terminal } from './terminal.ts';

export interface Collector {
  /** What the command reads; null: nothing. */
  readonly stdin?: string | null;
  readonly onPrint: (text: string) => void;
  /** Gets messages. */
  readonly onLog?: (text: string) => void;
}

export function collectingTerminal({ stdin = null, onPrint, onLog = () => {} }: Collector): Terminal {
  const collect = (take: (text: string) => void) =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string, _encoding, done) => {
        take(String(chunk));
        done();
      },
    });
  return createTerminal({
    stdin: Readable.from(stdin === null ? [] : [stdin]),
    stdout: collect(onPrint),
    stderr: collect(onLog),
    env: { NO_COLOR: '1' },
  });
}
