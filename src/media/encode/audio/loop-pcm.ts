/** Repeats raw audio until it is long enough, from file to file. Its memory is that of one crossfade. */
import { type FileHandle, open } from 'node:fs/promises';
import { readExactly } from '../mp4/track-file.ts';

/** One stereo sample in 32-bit floats. */
export const BYTES_PER_SAMPLE = 8;
const COPY_BYTES = 1 << 20;

/**
 * Writes `from` repeatedly to `to`, up to `totalSamples`. Each repeat is crossfaded at equal power with the last
 * `crossfadeSamples` before it.
 *
 * @param from - Stereo, 32-bit floats, little-endian, more than twice `crossfadeSamples` long.
 * @throws The file system's error, such as ENOSPC; the signal's reason.
 */
export async function loopPcm(
  from: string,
  to: string,
  lengths: { readonly samples: number; readonly totalSamples: number; readonly crossfadeSamples: number },
  signal?: AbortSignal,
): Promise<void> {
  const { samples, totalSamples, crossfadeSamples } = lengths;
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'wx');
    try {
      const head = await readSamples(source, 0, crossfadeSamples);
      const tail = await readSamples(source, samples - crossfadeSamples, crossfadeSamples);
      const join = mixEqualPower(tail, head);
      const middle = samples - 2 * crossfadeSamples;
      let left = totalSamples;
      const write = async (bytes: Buffer): Promise<void> => {
        const wanted = bytes.subarray(0, left * BYTES_PER_SAMPLE);
        if (wanted.length > 0) await target.appendFile(wanted);
        left -= wanted.length / BYTES_PER_SAMPLE;
      };
      await write(head);
      while (left > 0) {
        for (let done = 0; done < middle && left > 0; ) {
          signal?.throwIfAborted();
          const count = Math.min(COPY_BYTES / BYTES_PER_SAMPLE, middle - done);
          await write(await readSamples(source, crossfadeSamples + done, count));
          done += count;
        }
        await write(join);
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function readSamples(file: FileHandle, start: number, count: number): Promise<Buffer> {
  return readExactly(file, start * BYTES_PER_SAMPLE, count * BYTES_PER_SAMPLE);
}

/**
 * `leaving` falls as a quarter cosine and `entering` rises as a quarter sine, which keeps the level of unlike sounds.
 */
function mixEqualPower(leaving: Buffer, entering: Buffer): Buffer {
  const mixed = Buffer.alloc(leaving.length);
  const count = leaving.length / BYTES_PER_SAMPLE;
  for (let offset = 0; offset < leaving.length; offset += 4) {
    const angle = ((Math.floor(offset / BYTES_PER_SAMPLE) + 0.5) / count) * (Math.PI / 2);
    const value =
      leaving.readFloatLE(offset) * Math.cos(angle) + entering.readFloatLE(offset) * Math.sin(angle);
    mixed.writeFloatLE(value, offset);
  }
  return mixed;
}
