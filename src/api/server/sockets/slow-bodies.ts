/** The bodies that are being received, and which come too slowly. A file gets the time that a slow line needs. */
import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  /** For the body of a request, from the end of its head. */
  readonly requestTimeoutMs: number;
  /** An upload gets that time and the time that its bytes take at this rate: 25 MiB in 27 minutes. */
  readonly minUploadBytesPerSec: number;
}

interface SlowBody {
  readonly isUpload: boolean;
  readonly beganMs: number;
  /** That the connection had received before. */
  readonly beganBytes: number;
}

export class SlowBodies {
  readonly #limits: BodyLimits;
  readonly #isUpload: (request: IncomingMessage) => boolean;
  readonly #monotonicMs: () => number;
  readonly #bodies = new Map<IncomingMessage, SlowBody>();

  constructor(
    limits: BodyLimits,
    isUpload: (request: IncomingMessage) => boolean,
    monotonicMs: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#isUpload = isUpload;
    this.#monotonicMs = monotonicMs;
  }

  /** Follows the body of a request whose head has just come. */
  add(request: IncomingMessage): void {
    this.#bodies.set(request, {
      isUpload: this.#isUpload(request),
      beganMs: this.#monotonicMs(),
      beganBytes: request.socket.bytesRead,
    });
    request.once('close', () => this.#bodies.delete(request));
  }

  /** The requests whose bodies are late. Each is returned once. */
  takeLate(): IncomingMessage[] {
    const late: IncomingMessage[] = [];
    for (const [request, { isUpload, beganMs, beganBytes }] of this.#bodies) {
      const { requestTimeoutMs, minUploadBytesPerSec } = this.#limits;
      const received = request.socket.bytesRead - beganBytes;
      const forBytesMs = isUpload ? (received / minUploadBytesPerSec) * 1000 : 0;
      const isLate = this.#monotonicMs() - beganMs > requestTimeoutMs + forBytesMs;
      if (request.complete || isLate) this.#bodies.delete(request);
      if (isLate && !request.complete) late.push(request);
    }
    return late;
  }
}
