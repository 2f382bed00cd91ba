import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { encodeSoundtrack, silentTrack, silentTrackKey } from '../../../src/media/encode/audio/soundtrack.ts';
import { readAdtsPackets } from '../../../src/media/encode/mp4/adts-packets.ts';
import { readTrackFile } from '../../../src/media/encode/mp4/track-file.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { availableFfmpegs, writeScript } from './workbench.ts';

describe.each(await availableFfmpegs())('silentTrack by ffmpeg $version', ({ path: ffmpeg }) => {
  it.each([1, 100, 1095])(
    'is as long as %i frames, to the sample, and AAC-LC stereo at 48 kHz',
    async (durationFrames) => {
      const outDir = temporaryFolder();
      const path = await silentTrack({ ffmpeg, durationFrames, fps: 30, outDir });
      const { index } = (await readTrackFile(path))!;
      const soundSamples = durationFrames * 1600;
      expect(index.audio).toEqual({
        sampleRateHz: 48_000,
        primingSamples: 1024,
        soundSamples,
        loudnessLufs: null,
      });
      expect(index.sizes).toHaveLength(Math.ceil((1024 + soundSamples) / 1024));
      expect(index.config).toBe(Buffer.from([0x11, 0x90]).toString('base64'));
      expect(await readdir(outDir)).toEqual([`${silentTrackKey(durationFrames, 30)}.track`]);
    },
  );
});

describe('encodeSoundtrack', () => {
  const request = { durationFrames: 60, fps: 30, fileName: 'music.track' };

  it('refuses sound that is shorter than the picture', async () => {
    const ffmpeg = (await availableFfmpegs())[0]!.path;
    const outDir = temporaryFolder();
    const encoding = encodeSoundtrack(
      { ...request, ffmpeg, outDir },
      {
        addInputs: (command) =>
          command.input('anullsrc=r=48000:cl=stereo').inputOptions(['-f lavfi', '-t 1']),
        graph: 'anull',
      },
    );
    await expect(encoding).rejects.toMatchObject({ code: 'encode_failed' });
    expect(await readdir(outDir)).toEqual([]);
  });

  it('leaves nothing when ffmpeg fails', async () => {
    const ffmpeg = await writeScript('for a; do last="$a"; done; echo half > "$last"; exit 1');
    const outDir = temporaryFolder();
    await expect(silentTrack({ ...request, ffmpeg, outDir })).rejects.toMatchObject({
      code: 'encode_failed',
    });
    expect(await readdir(outDir)).toEqual([]);
  });
});

describe('readAdtsPackets', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('ID3 and so on, not ADTS')],
    ['half a packet', Buffer.from([0xff, 0xf1, 0x4c, 0x80, 0x10, 0x1f, 0xfc, 1, 2])],
  ])('refuses %s', (_what, bytes) => {
    expect(() => readAdtsPackets(bytes)).toThrow();
  });
});
