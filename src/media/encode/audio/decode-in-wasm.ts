/**
 * Decodes a music file in WebAssembly, in a process of its own with limits: a decoder that is attacked reaches neither
 * files nor the network. It starts the process; `wasm-decoder.ts` is the code in it.
 */
import { dirname } from 'node:path';
import { execa } from 'execa';
import { isDiskFull, toStoreError } from '../../../platform/disk/disk-error.ts';
import { limitCommand, neutralFolder, type ProcessLimits } from '../../../platform/limit-process.ts';
import { liveWhile } from '../../../platform/liveness.ts';
import { permissionFlags } from '../../../platform/permission-flags.ts';
import { codeFile } from '../../../platform/program-files.ts';
import type { WasmAnswer, WasmRequest } from './wasm-decoder.ts';

const ENTRY = codeFile('media/encode/audio/wasm-decoder-entry.js');
/** V8 reserves up to 620 MB of it. */
const LIMITS: ProcessLimits = { memoryBytes: 3 * 2 ** 30, cpuSec: 120, fileBytes: 2 ** 30 };

const UNDECODABLE = 'it cannot be decoded';
/** What to do where only an ffmpeg helps. */
export const USE_NEWER_FFMPEG =
  'install ffmpeg 5.1 or newer (`listing-video doctor` shows which one is used), or name another file, a soundtrack, or none';

/**
 * Decodes `request.from` to raw audio in `request.to`.
 *
 * @returns The rate and number of channels, or why the file cannot be used.
 * @throws {@link ListingVideoError} `disk_full`; the signal's reason.
 */
export async function decodeInWasm(
  request: WasmRequest,
  options: DecodeOptions,
): Promise<
  { readonly sampleRateHz: number; readonly channels: number } | { readonly problem: string; hint?: string }
> {
  const flags = permissionFlags({
    readDirs: [dirname(request.from)],
    writeDirs: [dirname(request.to)],
    hasAddons: false,
    packages: ['@audio/decode-mp3'],
  });
  const first = await run(request, flags, options);
  // Packages can be where the permissions do not reach. WebAssembly reaches no files by itself.
  const answer = first.type === 'denied' ? await run(request, [], options) : first;
  switch (answer.type) {
    case 'decoded':
      return answer;
    case 'unusable':
      return { problem: answer.problem };
    case 'missing':
      return {
        problem: 'this ffmpeg is older than 5.1, and the decoder is not installed',
        hint: USE_NEWER_FFMPEG,
      };
    case 'denied':
      return { problem: UNDECODABLE };
    case 'unwritable': {
      const error = Object.assign(new Error(answer.code), { code: answer.code });
      // EFBIG is the limit of the process: no valid file is that long.
      if (answer.code === 'EFBIG' || !isDiskFull(error)) return { problem: UNDECODABLE };
      throw toStoreError(error, request.to);
    }
  }
}

interface DecodeOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** A process that was ended by a limit answers nothing, so its file is unusable. */
async function run(
  request: WasmRequest,
  flags: readonly string[],
  { timeoutMs, signal }: DecodeOptions,
): Promise<WasmAnswer> {
  const { file, args } = limitCommand({ file: process.execPath, args: [...flags, ENTRY] }, LIMITS);
  const child = execa(file, args, {
    extendEnv: false,
    env: {},
    cwd: neutralFolder(),
    windowsHide: true,
    stdio: 'ignore',
    ipc: true,
    ipcInput: { ...request },
    reject: false,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  const { ipcOutput, timedOut } = await liveWhile(child, timeoutMs);
  signal?.throwIfAborted();
  if (timedOut) return { type: 'unusable', problem: `it takes more than ${timeoutMs / 1000} s to decode` };
  return (ipcOutput[0] ?? { type: 'unusable', problem: UNDECODABLE }) as WasmAnswer;
}
