/** Identity of a finished video: equal keys mean equal files, so an earlier run's file can stand. */
import { createHash } from 'node:crypto';
import type { Timeline } from '../../timeline/timeline.ts';

/** Raised when assembling, posters or previews change what they write for the same segments. */
const ASSEMBLY_VERSION = 1;

/** @returns SHA-256, hex, of the segments in order and of everything that is added to them. */
export function toVideoKey(timeline: Timeline, soundtrackKey: string, hasPreview: boolean): string {
  const { title, comment, highlights } = timeline.storyboard;
  const parts = {
    version: ASSEMBLY_VERSION,
    segments: timeline.segments.map((segment) => segment.key),
    soundtrackKey,
    title,
    comment,
    preview: hasPreview ? highlights : null,
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Identity of a picture made from one video's frames (preview, poster): what it shows and how it is made. */
export function toStillKey(timeline: Timeline, kind: string, frames: readonly number[]): string {
  const shown = new Set<string>();
  for (const frame of frames) {
    const segment = timeline.segments.find(
      ({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame,
    );
    if (segment) shown.add(`${segment.key}@${frame - segment.startFrame}`);
  }
  return createHash('sha256')
    .update(JSON.stringify([ASSEMBLY_VERSION, kind, [...shown]]))
    .digest('hex');
}
