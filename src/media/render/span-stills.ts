/** Which stills the threads make while they paint a run of frames, and which requests each of them answers. Pure. */
import type { PlannedFrame } from './plan-frames.ts';
import type { StillRequest } from './worker-messages.ts';

export interface StillsOfSpans {
  /** Stills of frames of the spans, made while all that these show is loaded. */
  readonly stills?: readonly StillRequest[];
  /** Receives each still, as `RenderPool.renderStills` returns it, before its frame is yielded; must not throw. */
  onStill?(still: StillRequest, rgba: Uint8Array): void;
}

export interface SpanStills {
  /** For the threads: stills of painted frames, each size once. */
  readonly requests: readonly StillRequest[];
  deliver(still: StillRequest, rgba: Uint8Array): void;
}

/** The stills to make: one of a repeated frame is made from the painted frame that it repeats. */
export function toSpanStills(
  { stills = [], onStill }: StillsOfSpans,
  planned: readonly PlannedFrame[],
): SpanStills {
  const byStill = new Map<string, { readonly painted: StillRequest; readonly requests: StillRequest[] }>();
  const keyOf = ({ index, widthPx, heightPx }: StillRequest): string => `${index} ${widthPx}x${heightPx}`;
  let painted = -1;
  for (const { index, sameAsPrevious } of planned) {
    if (!sameAsPrevious) painted = index;
    for (const request of stills) {
      if (request.index !== index) continue;
      const source = { ...request, index: painted };
      const entry = byStill.get(keyOf(source)) ?? { painted: source, requests: [] };
      entry.requests.push(request);
      byStill.set(keyOf(source), entry);
    }
  }
  return {
    requests: [...byStill.values()].map((entry) => entry.painted),
    deliver: (source, rgba) => {
      for (const request of byStill.get(keyOf(source))?.requests ?? []) onStill?.(request, rgba);
    },
  };
}
