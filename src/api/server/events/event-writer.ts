/**
 * The body of an answer with server-sent events (WHATWG HTML, 9.2). It holds no queue: a client that reads slowly gets
 * what is newest when it reads on, so it costs no memory.
 */
const encoder = new TextEncoder();

/** One event. JSON has no line breaks outside of strings, and escapes those inside. */
export function formatEvent(name: string, data: unknown, id?: string): Uint8Array {
  return encoder.encode(
    `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`,
  );
}

export interface EventSource {
  /** Sent before anything else. */
  readonly first?: Uint8Array;
  /** What the client has not got; null while there is nothing. Asked when the client reads. */
  readonly next: () => Uint8Array | null;
  /** Called once, when the stream is over for whatever reason. */
  readonly onEnd: () => void;
}

export class EventWriter {
  readonly body: ReadableStream<Uint8Array>;
  readonly #source: EventSource;
  #first: Uint8Array | null;
  #isOver = false;
  /** Set while the client has read everything. */
  #wake: (() => void) | null = null;

  constructor(source: EventSource) {
    this.#source = source;
    this.#first = source.first ?? null;
    this.body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.end() },
      // Nothing is made before the client reads.
      { highWaterMark: 0 },
    );
  }

  /** False while the client has not read what was sent. */
  get isRead(): boolean {
    return this.#wake !== null;
  }

  /** There can be something new. */
  wake(): void {
    this.#wake?.();
  }

  /** Ends the stream after what the client is reading. It can then reconnect. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.wake();
    this.#source.onEnd();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#first !== null) {
      controller.enqueue(this.#first);
      this.#first = null;
      return;
    }
    for (;;) {
      const next = this.#isOver ? null : this.#source.next();
      if (next !== null) return controller.enqueue(next);
      if (this.#isOver) return controller.close();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
