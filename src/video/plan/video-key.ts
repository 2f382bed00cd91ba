/** Identity of a finished video: equal keys mean equal files, so the files of an earlier run are up to date. */
import { createHash } from 'node:crypto';
import type { Timeline } from '../../design/timeline/timeline.ts';
import type { Delivery } from '../destinations/delivery.ts';

/** Raise it when assembling, posters or previews write other bytes for the same segments. */
const ASSEMBLY_VERSION = 2;

/** @returns SHA-256, hex, of the segments in order, the audio, the metadata and the preview. */
export function toVideoKey(
  timeline: Timeline,
  { hasEditLists, poster, small }: Pick<Delivery, 'hasEditLists' | 'poster' | 'small'>,
  soundtrackKey: string,
  hasPreview: boolean,
): string {
  const { title, comment, highlights } = timeline.storyboard;
  const parts = {
    version: ASSEMBLY_VERSION,
    segments: segmentNames(timeline),
    soundtrackKey,
    title,
    comment,
    preview: hasPreview ? highlights : null,
    // Absent where there are some, so that files of earlier versions are up to date.
    ...(hasEditLists ? {} : { hasEditLists }),
    ...(poster === null ? {} : { poster }),
    ...(small === null ? {} : { small }),
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Of equal names equal pictures. */
export function segmentNames({ segments }: Pick<Timeline, 'segments'>): string[] {
  // The beginning of a segment has the key of the whole.
  return segments.map(({ key, of, startFrame, endFrame }) =>
    of === undefined ? key : `${key} ${endFrame - startFrame}`,
  );
}

/** Identity of a preview, poster or still: the frames that it shows, and the kind of file. */
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
