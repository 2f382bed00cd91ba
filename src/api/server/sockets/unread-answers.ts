/** Limits the memory of answers that clients do not read: a client can ask for a large page and leave it waiting. */
import type { ServerResponse } from 'node:http';

/**
 * Ends the oldest unread answers while all of them together are larger than the limit. A client that reads has its
 * answer within moments, so the oldest are those of clients that do not.
 *
 * @param answering - Oldest first.
 * @param maxBytes - Of this process; what the system holds for each connection does not count.
 * @param onEnd - Called with the client's address before its connection is closed.
 */
export function endUnread(
  answering: Iterable<ServerResponse>,
  maxBytes: number,
  onEnd: (address: string | undefined) => void,
): void {
  const unread = [...answering].filter(({ writableLength }) => writableLength > 0);
  let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
  for (const response of unread) {
    if (bytes <= maxBytes) return;
    bytes -= response.writableLength;
    onEnd(response.socket?.remoteAddress);
    response.destroy();
  }
}
