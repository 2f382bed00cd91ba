/** Reading what is no plain file: pipes that nobody writes to, pipes that somebody does, devices. */
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readInputBytes } from '../../src/cli/listings/read-input-bytes.ts';
import { folderOf, listing } from './listing-files.ts';
import { run } from './run-cli.ts';

async function pipe(): Promise<string> {
  const file = path.join(await folderOf(), 'pipe.json');
  execFileSync('mkfifo', [file]);
  return file;
}

const NOT_WAITING = constants.O_WRONLY | constants.O_NONBLOCK;

/** The first answer that is no error; the test's own time limit ends the wait. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await attempt().catch(() => null);
    if (answer !== null) return answer;
    await setImmediate();
  }
}

const inputOf = (file: string) => ({ name: 'pipe.json', path: file, problem: null });

describe.skipIf(process.platform === 'win32')('an input that is no plain file', () => {
  it('ends the wait for a named pipe that nobody writes to', async () => {
    const file = await pipe();
    const interrupt = new AbortController();
    const reading = readInputBytes(inputOf(file), { stdin: new PassThrough(), signal: interrupt.signal });
    // A pipe can be opened for writing without waiting exactly while somebody reads it.
    const writer = await eventually(() => open(file, NOT_WAITING));
    interrupt.abort();
    await expect(reading).rejects.toThrow('aborted');
    await eventually(() => expect(open(file, NOT_WAITING)).rejects.toThrow('ENXIO'));
    await writer.close();
  });

  it('reads all that is written to a named pipe', async () => {
    const file = await pipe();
    const text = JSON.stringify({ ...listing(), notes: 'x'.repeat(300_000) });
    const reading = readInputBytes(inputOf(file), {
      stdin: new PassThrough(),
      signal: new AbortController().signal,
    });
    const writer = await open(file, 'w');
    await writer.writeFile(text);
    await writer.close();
    expect(String(await reading)).toBe(text);
  });

  it.each(['/dev/zero', '/dev/null'])('refuses %s at once', async (device) => {
    const { exitCode, stdout } = await run(['validate', device]);
    expect(exitCode).toBe(2);
    expect(stdout).toContain(`${device}: 1 violation\n  it is a device or a socket, not a file`);
  });
});
