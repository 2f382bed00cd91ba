/**
 * The decode process: takes one image at a time from its parent and answers with the result.
 *
 * It checks its own memory, because its event loop stays free while libvips works in a thread. It ends with its parent,
 * which enforces the time limit.
 */

import { UnusableAsset } from '../unusable-asset.ts';
import type { DecodeAnswer, DecodeCommand, DecodeRequest } from './decode-protocol.ts';

/** Short compared to the second in which a bomb fills a gigabyte. */
const MEMORY_POLL_MS = 20;

const die = (): void => void process.kill(process.pid, 'SIGKILL');

// Not process.exit(), which waits for libvips to finish the current image.
process.on('disconnect', die);
// Ctrl-C reaches the whole process group, but the parent decides when to stop.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

function answer(message: DecodeAnswer, then: () => void = () => {}): void {
  process.send?.(message, then);
}

function watchMemory(limitBytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() <= limitBytes) return;
    answer({ type: 'outgrown' }, die);
  }, MEMORY_POLL_MS).unref();
}

process.on('message', (command: DecodeCommand) => {
  if (command.type === 'start') {
    watchMemory(command.options.memoryLimitBytes);
    import('./decode-image.ts').then(
      () => answer({ type: 'ready' }),
      (error: unknown) => answer({ type: 'unfit', message: String((error as Error).message) }),
    );
    return;
  }
  decode(command.request).then(answer);
});

async function decode(request: DecodeRequest): Promise<DecodeAnswer> {
  const { decodeImage } = await import('./decode-image.ts');
  try {
    return { type: 'decoded', image: await decodeImage(request) };
  } catch (error) {
    if (error instanceof UnusableAsset && error.code !== 'timeout') {
      return { type: 'unusable', code: error.code as 'corrupt', detail: error.detail };
    }
    const errno = (error as NodeJS.ErrnoException).code;
    return { type: 'failed', errno: typeof errno === 'string' ? errno : null, message: String(error) };
  }
}
