/** The state as server-sent events (WHATWG HTML, 9.2). A page that reads slowly gets all changes in one. */
import type { StateChange } from './editor/protocol.ts';
import type { Studio } from './editor/studio.ts';

const PING_INTERVAL_MS = 20_000;
const encoder = new TextEncoder();

/** Begins with the whole state, so that a page that connects again misses nothing. */
export function stateEvents(studio: Studio): ReadableStream<Uint8Array> {
  let waiting: StateChange | null = studio.state;
  let isPingDue = false;
  let wake: () => void = () => {};
  const unsubscribe = studio.subscribe((change) => {
    waiting = { ...waiting, ...change };
    wake();
  });
  const pings = setInterval(() => {
    isPingDue = true;
    wake();
  }, PING_INTERVAL_MS);
  pings.unref();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (waiting === null && !isPingDue) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const event = waiting === null ? 'event: ping\ndata: {}\n\n' : format(waiting);
        waiting = null;
        isPingDue = false;
        controller.enqueue(encoder.encode(event));
      },
      cancel() {
        unsubscribe();
        clearInterval(pings);
      },
    },
    { highWaterMark: 0 },
  );
}

/** JSON has no line breaks outside of strings, and escapes those inside. */
function format(change: StateChange): string {
  return `event: state\ndata: ${JSON.stringify(change)}\n\n`;
}
