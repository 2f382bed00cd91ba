import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import {
  formatCommand,
  runFfmpeg,
  runFfmpegJob,
  startFfmpeg,
} from '../../../src/media/encode/ffmpeg/run-ffmpeg.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { writeScript } from './workbench.ts';

describe('runFfmpeg', () => {
  it('tells a file that cannot be started from an ffmpeg that fails', async () => {
    const nowhere = join(temporaryFolder(), 'ffmpeg');
    await expect(runFfmpeg(nowhere, [], { timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'ffmpeg_missing',
    });
    const failing = await writeScript('echo "first line" >&2; echo "Unknown encoder" >&2; exit 3');
    await expect(runFfmpeg(failing, ['-x'], { timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'encode_failed',
      message: 'ffmpeg failed: exit status 3 (Unknown encoder)',
      context: { exitCode: 3, signal: null, stderr: 'first line\nUnknown encoder', command: `${failing} -x` },
    });
  });

  it('stops an ffmpeg that does not end in time', async () => {
    const stuck = await writeScript('exec sleep 600');
    await expect(runFfmpeg(stuck, [], { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'encode_failed',
      message: 'ffmpeg failed: it did not end within 0.05 s',
      context: { signal: 'SIGTERM' },
    });
    expect(
      (await runFfmpeg(stuck, [], { timeoutMs: 50 }).catch((error) => error)).context,
    ).not.toHaveProperty('interrupted');
  });

  it.each(['TERM', 'INT'])('says that somebody else stopped it with SIG%s', async (signal) => {
    const { path } = await findFfmpeg({ searchPath: process.env.PATH });
    const endless = `'${path}' -hide_banner -nostdin -re -f lavfi -i testsrc -f null -`;
    const stopped = await writeScript(`(sleep 0.3; kill -${signal} $$) & exec ${endless} >/dev/null 2>&1`);
    await expect(runFfmpeg(stopped, [], { timeoutMs: 60_000 })).rejects.toMatchObject({
      code: 'encode_failed',
      context: { interrupted: true },
    });
  });

  it('is stopped by an abort with its reason', async () => {
    const stuck = await writeScript('exec sleep 600');
    const abort = new AbortController();
    const running = runFfmpeg(stuck, [], { timeoutMs: 60_000, signal: abort.signal });
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(running).rejects.toBe(reason);
  });
});

describe('an ffmpeg that is a shell script', () => {
  it('is let go when it was stopped, though what it started still holds the pipes', async () => {
    const pidFile = join(temporaryFolder(), 'pid');
    const wrapper = await writeScript(`sleep 600 & echo $! > '${pidFile}'; wait`);
    try {
      await expect(runFfmpeg(wrapper, [], { timeoutMs: 200 })).rejects.toMatchObject({
        code: 'encode_failed',
      });
    } finally {
      process.kill(Number(await readFile(pidFile, 'utf8')));
    }
  });
});

describe('startFfmpeg', () => {
  it('keeps only the end of an endless stderr', async () => {
    const chatty = await writeScript(
      'i=0; while [ $i -lt 3000 ]; do echo "noise $i noise noise noise" >&2; i=$((i+1)); done; exit 1',
    );
    const running = startFfmpeg(chatty, []);
    running.stdout.resume();
    const error = await running.done.catch((failure) => failure);
    expect(error.context.stderr.length).toBeLessThanOrEqual(16_384);
    expect(error.context.stderr).toMatch(/noise 2999 noise noise noise$/);
  });
});

describe('runFfmpegJob', () => {
  it('hands fluent-ffmpeg options to the binary in ffmpeg order', async () => {
    const echo = await writeScript('for a in "$@"; do printf "%s|" "$a"; done >&2; exit 1');
    const job = runFfmpegJob(
      echo,
      (command) => command.input('in put').inputOptions(['-f lavfi']).audioCodec('aac').output('out.aac'),
      { timeoutMs: 5000 },
    );
    await expect(job).rejects.toMatchObject({
      context: { stderr: expect.stringContaining('|-f|lavfi|-i|in put|-y|-acodec|aac|out.aac|') },
    });
  });
});

describe('formatCommand', () => {
  it('can be pasted into a shell', () => {
    expect(formatCommand('/opt/my tools/ffmpeg', ['-i', 'pipe:0', '-metadata', "title=Bob's", 'a.mp4'])).toBe(
      `'/opt/my tools/ffmpeg' -i pipe:0 -metadata 'title=Bob'\\''s' a.mp4 < FILE`,
    );
  });
});
