/** What both shapes of the video keep of a photo, and the focus that a hand moves. Pure. */
import type { AspectRatio, Focus } from '../../../listing/listing.ts';
import { type KeptPart, keptPart } from '../../../video/stage/kept-part.ts';
import type { StudioPhoto } from '../../editor/protocol.ts';

export interface Crops {
  /** Of an automatic focus the middle of what both shapes keep: moving goes on from there. */
  readonly focus: Focus;
  readonly parts: Readonly<Record<AspectRatio, KeptPart>>;
}

/** Where nothing has looked at the photo. */
const MIDDLE = { focus: { x: 0.5, y: 0.5 }, subject: null };

/** @param aspect - Width by height. @param focus - Chosen by hand; null: automatic. */
export function toCrops(aspect: number, focus: Focus | null, guess: StudioPhoto['guess']): Crops {
  const size = { widthPx: aspect, heightPx: 1 };
  const [wide, tall] = (['1920:1080', '1080:1920'] as const).map((ratio) =>
    keptPart(size, ratio, focus, guess ?? MIDDLE),
  ) as [KeptPart, KeptPart];
  const narrow = tall.width < wide.width ? tall : wide;
  const low = wide.height < tall.height ? wide : tall;
  const middle = { x: narrow.left + narrow.width / 2, y: low.top + low.height / 2 };
  return { focus: focus ?? middle, parts: { '1920:1080': wide, '1080:1920': tall } };
}

/** The focus after the photo was moved in its frame. @param by - In shares of the photo. */
export function moveInFrame({ focus, parts }: Crops, ratio: AspectRatio, by: Focus): Focus {
  const { left, top, width, height } = parts[ratio];
  // The frame shows the same within this distance of the photo's edge: the photo would seem to stick there.
  const along = (from: number, size: number, step: number) =>
    clamp(from + size / 2 - step, size / 2, 1 - size / 2);
  return {
    x: width < 1 ? along(left, width, by.x) : focus.x,
    y: height < 1 ? along(top, height, by.y) : focus.y,
  };
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
