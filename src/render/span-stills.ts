/** Which stills the threads take along while they paint the frames of a run, and whose orders each of them fills. Pure. */
import type { PlannedFrame } from './plan-frames.ts';
import type { RenderSpansRequest } from './render-pool.ts';
import type { StillRequest } from './worker-messages.ts';

export interface SpanStills {
  /** For the threads: frames that are painted, each size once. */
  readonly orders: readonly StillRequest[];
  /** Hands a still to everyone who ordered what it shows. */
  deliver(order: StillRequest, rgba: Uint8Array): void;
}

/** What is ordered of the threads: a still of a frame that repeats the one before is taken from the frame that is painted. */
export function toSpanStills(
  { stills = [], onStill }: RenderSpansRequest,
  planned: readonly PlannedFrame[],
): SpanStills {
  const wanted = new Map<string, { readonly painted: StillRequest; readonly orders: StillRequest[] }>();
  const keyOf = ({ index, widthPx, heightPx }: StillRequest): string => `${index} ${widthPx}x${heightPx}`;
  let painted = -1;
  for (const { index, sameAsPrevious } of planned) {
    if (!sameAsPrevious) painted = index;
    for (const order of stills) {
      if (order.index !== index) continue;
      const source = { ...order, index: painted };
      const entry = wanted.get(keyOf(source)) ?? { painted: source, orders: [] };
      entry.orders.push(order);
      wanted.set(keyOf(source), entry);
    }
  }
  return {
    orders: [...wanted.values()].map((entry) => entry.painted),
    deliver: (source, rgba) => {
      for (const order of wanted.get(keyOf(source))?.orders ?? []) onStill?.(order, rgba);
    },
  };
}
