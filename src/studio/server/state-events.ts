/** A state as server-sent events. A page that reads slowly gets all changes in one. */
import { EventWriter, formatEvent } from '../../api/server/events/event-writer.ts';

/** What changes. */
export interface StateSource<State extends object> {
  readonly state: State;
  /** @returns Ends it. */
  subscribe(listener: (change: Partial<State>) => void): () => void;
}

const PING_INTERVAL_MS = 20_000;

/** Begins with the whole state, so that a page that connects again misses nothing. @param onEnd - Called once. */
export function stateEvents<State extends object>(
  source: StateSource<State>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  let waiting: Partial<State> | null = source.state;
  let isPingDue = false;
  const writer = new EventWriter({
    next() {
      const [change, isDue] = [waiting, isPingDue];
      waiting = null;
      isPingDue = false;
      if (change !== null) return formatEvent('state', change);
      return isDue ? formatEvent('ping', {}) : null;
    },
    onEnd() {
      unsubscribe();
      clearInterval(pings);
      onEnd();
    },
  });
  const unsubscribe = source.subscribe((change) => {
    waiting = { ...waiting, ...change };
    writer.wake();
  });
  const pings = setInterval(() => {
    isPingDue = true;
    writer.wake();
  }, PING_INTERVAL_MS).unref();
  return writer.body;
}
