import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { encodeSegments } from '../../../src/media/encode/encode-segments.ts';
import { readTrackFile, TrackFileWriter } from '../../../src/media/encode/mp4/track-file.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { FORMAT, numberedFrames, paintNumber, segmentsOf } from './numbered-frames.ts';
import { availableFfmpegs, writeScript } from './workbench.ts';

const ffmpeg = (await availableFfmpegs())[0]!.path;

/** The real ffmpeg behind a script that writes its process id down first. */
async function tracedFfmpeg() {
  const pidFile = join(temporaryFolder(), 'pid');
  const path = await writeScript(`echo $$ > '${pidFile}'\nexec '${ffmpeg}' "$@"`);
  return { path, readPid: async () => Number(await readFile(pidFile, 'utf8')) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('encodeSegments', () => {
  it('reports each segment when it is complete, with its exact frames, and gives all frames back', async () => {
    const outDir = temporaryFolder();
    const segments = segmentsOf(20, 7, 33);
    const { frames, counts } = numberedFrames(segments);
    const reported: string[] = [];
    await encodeSegments({
      ...{ ffmpeg, format: FORMAT, frames, segments, outDir },
      onSegment: async (segment, path) => {
        const file = await readTrackFile(path);
        expect(file?.index.frames.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: segment.endFrame - segment.startFrame }, (_, i) => i),
        );
        expect(file?.index.idrPackets[0]).toBe(0);
        reported.push(segment.key);
      },
    });
    expect(reported).toEqual(['segment-0', 'segment-1', 'segment-2']);
    expect(counts).toEqual({ lent: 60, released: 60 });
    expect((await readdir(outDir)).sort()).toEqual(reported.map((key) => `${key}.segment`));
  });

  it('keeps finished segments on disk before the last frame is sent', async () => {
    const outDir = temporaryFolder();
    const segments = segmentsOf(30, 120);
    const done: string[] = [];
    let doneBeforeLast = -1;
    const { frames } = numberedFrames(segments, {
      beforeFrame: async (sent) => {
        if (sent === 149) {
          await vi.waitFor(() => expect(done).toEqual(['segment-0']), { timeout: 20_000 });
          doneBeforeLast = done.length;
        }
      },
    });
    const onSegment = ({ key }: { key: string }) => void done.push(key);
    await encodeSegments({ ffmpeg, format: FORMAT, frames, segments, outDir, onSegment });
    expect(doneBeforeLast).toBe(1);
    expect(done).toHaveLength(2);
  });

  it('encodes a segment that came after others into the same pictures as alone', async () => {
    const [first, second] = segmentsOf(24, 24);
    const together = temporaryFolder();
    const alone = temporaryFolder();
    const both = [first!, second!];
    const format = FORMAT;
    await encodeSegments({ ffmpeg, format, ...numberedFrames(both), segments: both, outDir: together });
    await encodeSegments({
      ffmpeg,
      format,
      ...numberedFrames([second!]),
      segments: [second!],
      outDir: alone,
    });
    const [a, b] = await Promise.all(
      [together, alone].map((dir) => readTrackFile(join(dir, 'segment-1.segment'))),
    );
    expect(a?.index.config).toBe(b?.index.config);
    expect(a?.index.frames).toEqual(b?.index.frames);
    const difference = Math.abs(a!.packetBytes - b!.packetBytes) / b!.packetBytes;
    expect(difference).toBeLessThan(0.1);
  });

  it('takes frames that lie in shared memory', async () => {
    const outDir = temporaryFolder();
    const segments = segmentsOf(3);
    const shared = new Uint8Array(new SharedArrayBuffer((320 * 180 * 3) / 2));
    shared.set(paintNumber(1));
    async function* frames() {
      for (let index = 0; index < 3; index++)
        yield { index, data: shared, sameAsPrevious: index > 0, release() {} };
    }
    await encodeSegments({ ffmpeg, format: FORMAT, frames: frames(), segments, outDir });
    expect(await readdir(outDir)).toEqual(['segment-0.segment']);
  });

  it('stops at once on abort: no process, no half file, every frame given back', async () => {
    const outDir = temporaryFolder();
    const traced = await tracedFfmpeg();
    const segments = segmentsOf(40, 400);
    const abort = new AbortController();
    const { frames, counts } = numberedFrames(segments, {
      beforeFrame: (sent) => {
        if (sent === 100) abort.abort(new DOMException('stop', 'AbortError'));
      },
    });
    const encoding = encodeSegments({
      ...{ ffmpeg: traced.path, format: FORMAT, frames, segments, outDir, signal: abort.signal },
    });
    await expect(encoding).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(isAlive(await traced.readPid())).toBe(false);
    expect((await readdir(outDir)).filter((name) => /\.(part|tmp)$/.test(name))).toEqual([]);
    expect(counts.released).toBe(counts.lent);
    expect(counts.lent).toBeLessThan(110);
  });

  it('says that ffmpeg was killed, keeps what was finished, and leaves no half file', async () => {
    const outDir = temporaryFolder();
    const traced = await tracedFfmpeg();
    const segments = segmentsOf(30, 400);
    const finished: string[] = [];
    const { frames } = numberedFrames(segments, {
      beforeFrame: async (sent) => {
        if (sent !== 150) return;
        await vi.waitFor(() => expect(finished).toHaveLength(1), { timeout: 20_000 });
        process.kill(await traced.readPid(), 'SIGKILL');
      },
    });
    const onSegment = ({ key }: { key: string }) => void finished.push(key);
    const encoding = encodeSegments({
      ffmpeg: traced.path,
      format: FORMAT,
      frames,
      segments,
      outDir,
      onSegment,
    });
    await expect(encoding).rejects.toMatchObject({
      code: 'encode_failed',
      message: expect.stringContaining('killed by SIGKILL'),
      hint: expect.stringContaining('memory'),
      context: { signal: 'SIGKILL', command: expect.stringContaining('-c:v libx264') },
    });
    expect(await readdir(outDir)).toEqual(['segment-0.segment']);
  });

  it('does not hang on an ffmpeg that stops reading, when aborted', async () => {
    const stuck = await writeScript('trap "" TERM\nexec sleep 600');
    const abort = new AbortController();
    const segments = segmentsOf(400);
    const { frames, counts } = numberedFrames(segments, {
      beforeFrame: (sent) => {
        if (sent === 2) setImmediate(() => abort.abort());
      },
    });
    const outDir = temporaryFolder();
    const encoding = encodeSegments({
      ffmpeg: stuck,
      format: FORMAT,
      frames,
      segments,
      outDir,
      signal: abort.signal,
    });
    await expect(encoding).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(counts.released).toBe(counts.lent);
  });

  it('calls a full disk by its name, in every process', async () => {
    const outDir = temporaryFolder();
    const segments = segmentsOf(10);
    const full = await writeScript(
      'cat > /dev/null; echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1',
    );
    const byFfmpeg = encodeSegments({
      ffmpeg: full,
      format: FORMAT,
      ...numberedFrames(segments),
      segments,
      outDir,
    });
    await expect(byFfmpeg).rejects.toMatchObject({ code: 'disk_full' });

    const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    vi.spyOn(TrackFileWriter.prototype, 'write').mockRejectedValue(error);
    const byUs = encodeSegments({ ffmpeg, format: FORMAT, ...numberedFrames(segments), segments, outDir });
    await expect(byUs).rejects.toMatchObject({ code: 'disk_full', hint: expect.stringContaining('free') });
    expect(await readdir(outDir)).toEqual([]);
  });

  it('passes on why there were no more frames, and stops the encoder', async () => {
    const traced = await tracedFfmpeg();
    const segments = segmentsOf(50);
    const { frames, counts } = numberedFrames(segments, {
      beforeFrame: (sent) => {
        if (sent === 20) throw new Error('the renderer broke');
      },
    });
    const outDir = temporaryFolder();
    const encoding = encodeSegments({ ffmpeg: traced.path, format: FORMAT, frames, segments, outDir });
    await expect(encoding).rejects.toThrow('the renderer broke');
    expect(isAlive(await traced.readPid())).toBe(false);
    expect(counts.released).toBe(counts.lent);
    expect(await readdir(outDir)).toEqual([]);
  });

  it.each([
    ['a frame too few', segmentsOf(9)],
    ['a frame too many', segmentsOf(11)],
    ['a frame of another number', [{ key: 'x', startFrame: 1, endFrame: 11 }]],
  ])('refuses %s from the renderer', async (_what, sent) => {
    const outDir = temporaryFolder();
    const { frames, counts } = numberedFrames(sent);
    const encoding = encodeSegments({ ffmpeg, format: FORMAT, frames, segments: segmentsOf(10), outDir });
    await expect(encoding).rejects.toMatchObject({ code: 'encode_failed' });
    expect(counts.released).toBe(counts.lent);
    expect(await readdir(outDir)).toEqual([]);
  });

  it('refuses an encoder that answers with nonsense', async () => {
    const liar = await writeScript('cat > /dev/null; echo this is no video at all');
    const segments = segmentsOf(5);
    const outDir = temporaryFolder();
    const encoding = encodeSegments({
      ffmpeg: liar,
      format: FORMAT,
      ...numberedFrames(segments),
      segments,
      outDir,
    });
    await expect(encoding).rejects.toMatchObject({ code: 'encode_failed' });
  });
});
