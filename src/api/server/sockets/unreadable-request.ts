/** Answers to requests that no route sees, because they are not valid HTTP or have no valid URL. */
import type { Socket } from 'node:net';
import { type ApiProblem, problem } from '../answers/api-problem.ts';
import { SAFETY_HEADERS } from '../answers/safety-headers.ts';
import { endWithProblem } from '../answers/send-problem.ts';
import { answerProblem } from '../context.ts';
import { chooseRequestId } from '../requests/request-id.ts';
import type { AnsweredRequest } from '../watch/log-request.ts';
import { plainAddress } from './client-address.ts';

/** Called for every such answer, which no other code can log. */
export type OnUnreadable = (facts: AnsweredRequest) => void;

/** Answers a request that is valid HTTP but has no valid URL: the Host header is missing or invalid. */
export function answerUnreadable(error: unknown, onUnreadable: OnUnreadable): Response {
  const requestId = chooseRequestId(null);
  const isOurs = !(error instanceof Error) || error.name !== 'RequestError';
  const refusal = isOurs
    ? problem('internal_error', 'something went wrong here', { request_id: requestId })
    : problem('invalid_request', 'the request has no usable Host header or target');
  const response = answerProblem(refusal);
  response.headers.set('x-request-id', requestId);
  for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.headers.set(name, value);
  onUnreadable({ ...unreadable(requestId, refusal), ...(isOurs ? { fault: error } : {}) });
  return response;
}

/**
 * Answers on a connection whose bytes cannot be parsed. The caller closes it.
 *
 * @param isAnswering - The head of an answer is already sent: more bytes would damage that answer.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  isAnswering: boolean,
  onUnreadable: OnUnreadable,
): void {
  const requestId = chooseRequestId(null);
  const refusal = toConnectionProblem(error.code);
  // Asked now: a closed socket does not know its peer.
  const address = socket.remoteAddress;
  if (isAnswering) socket.destroy();
  else endWithProblem(socket, refusal, requestId);
  onUnreadable({
    ...unreadable(requestId, refusal),
    ...(address && { clientAddress: plainAddress(address) }),
  });
}

/** A request that cannot be read: only its answer is known. */
function unreadable(requestId: string, { status, body }: ApiProblem): AnsweredRequest {
  return { requestId, method: '', pathname: '', status, code: body.code, durationMs: 0 };
}

function toConnectionProblem(code: string | undefined): ApiProblem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problem('request_header_too_large', 'the request line and headers are too large');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problem('request_timeout', 'the request took too long to arrive');
  }
  return problem('invalid_request', 'this is not an HTTP/1.1 request');
}
