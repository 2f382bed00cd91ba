/**
 * Closes a connection whose client is still sending. Node destroys such a connection as soon as the answer is
 * written. The system then sends a reset, because bytes are left unread, and the reset can overtake the answer. So
 * the connection is only closed for writing at first; what the client still sends is read and dropped, for a while.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readInTurns } from './read-turns.ts';

/** When a client that does not stop sending is cut off. */
export interface LingerLimits {
  readonly maxBytes: number;
  readonly maxMs: number;
  /** Without a byte. */
  readonly idleMs: number;
}

/** The times of nginx (`lingering_time`, `lingering_timeout`). The bytes are 16 bodies at the default limit. */
export const LINGER_LIMITS: LingerLimits = {
  maxBytes: 64 * 1024 * 1024,
  maxMs: 30_000,
  idleMs: 5_000,
};

/**
 * Call it when the whole answer was written. The connection is destroyed when the client closes it, when the rest of
 * the request has come, or at a limit.
 *
 * @param request - What the client is still sending. It must already flow: of a request that nobody has read, Node
 *   drops the rest without events. Absent when it cannot be parsed.
 */
export function closeSlowly(
  socket: Socket,
  request: IncomingMessage | undefined,
  { maxBytes, maxMs, idleMs }: LingerLimits,
): void {
  const destroy = (): void => void socket.destroy();
  const total = setTimeout(destroy, maxMs).unref();
  const idle = setTimeout(destroy, idleMs).unref();
  const atStart = socket.bytesRead;
  socket.once('close', () => {
    clearTimeout(total);
    clearTimeout(idle);
  });
  socket.end();
  const sent = request ?? socket;
  sent.on('data', () => {
    idle.refresh();
    if (socket.bytesRead - atStart > maxBytes) destroy();
  });
  // The answer can still be on its way to the system.
  const destroyWhenWritten = (): void => {
    if (socket.writableFinished) destroy();
    else socket.once('finish', destroy);
  };
  socket.once('end', destroyWhenWritten);
  request?.once('end', destroyWhenWritten);
  readInTurns(sent);
  sent.resume();
}
