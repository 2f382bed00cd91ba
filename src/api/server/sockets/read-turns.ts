/**
 * Large bodies are read in turns, one piece in each turn of the event loop. Otherwise Node reads up to 2 MB of every
 * connection before it looks at the next request: 120 bodies of 4 MB at once kept `/healthz` waiting for 2 s.
 */
import type { Readable } from 'node:stream';

/** A smaller body needs no turn. The system passes on 64 KiB at a time. */
const FREE_BYTES = 64 * 1024;

const following = new WeakSet<Readable>();
/** Paused, the first one first. The process has one queue because it has one event loop. */
const waiting = new Set<Readable>();

/** Does not start the stream. From now on it pauses itself after each piece of data until its turn comes. */
export function readInTurns(stream: Readable): void {
  if (following.has(stream)) return;
  following.add(stream);
  let size = 0;
  stream.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= FREE_BYTES) return;
    stream.pause();
    if (waiting.size === 0) setImmediate(nextTurn);
    waiting.add(stream);
  });
  stream.once('close', () => waiting.delete(stream));
}

function nextTurn(): void {
  const [next] = waiting;
  if (next === undefined) return;
  waiting.delete(next);
  next.resume();
  if (waiting.size > 0) setImmediate(nextTurn);
}
