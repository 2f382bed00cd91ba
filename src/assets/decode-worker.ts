/**
 * The decoding process: takes one picture at a time from its parent and answers what became of it.
 *
 * It trusts nothing it decodes. It watches its own memory (its event loop stays free while libvips works in a thread),
 * and it dies with its parent. Time is the parent's to watch.
 */
import type { DecodeAnswer, DecodeCommand } from './decode-protocol.ts';
import { UnusableAsset } from './unusable-asset.ts';

/** Short against the second or so in which a bomb fills a gigabyte. */
const MEMORY_POLL_MS = 20;

const die = (): void => void process.kill(process.pid, 'SIGKILL');

// process.exit() would first wait for libvips to finish the picture at hand.
process.on('disconnect', die);
// Ctrl-C reaches the whole process group; when to stop is the parent's decision.
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

async function decode(request: Extract<DecodeCommand, { type: 'decode' }>['request']): Promise<DecodeAnswer> {
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
