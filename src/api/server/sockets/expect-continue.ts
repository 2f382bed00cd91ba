/**
 * `Expect: 100-continue`: the client waits for a sign before it sends the body. Node gives the sign at once, so that
 * a body is uploaded that is refused anyway. Here it is given when the body is about to be read (RFC 9110, 10.1.1).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

export function sendContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}
