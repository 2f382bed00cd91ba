/** A planned video as the stage keeps it, and as the page sees it. Pure. */
import { createHash } from 'node:crypto';
import type { Graphic, Photo } from '../../design/photo.ts';
import { LIMITS } from '../../design/storyboard/frame-limits.ts';
import type { Layer, SceneKind } from '../../design/storyboard/storyboard.ts';
import { fontsFingerprint } from '../../design/text/fonts/bundled-fonts.ts';
import type { Timeline } from '../../design/timeline/timeline.ts';
import { RENDERER_VERSION } from '../../media/render/renderer-version.ts';
import { musicKey } from '../make/provide-soundtracks.ts';
import { stillFrame } from '../plan/highlight-frames.ts';
import { type ChosenMusic, tempoOfFile } from '../plan/music/choose-music.ts';
import type { VideoPlan } from '../plan/plan-video.ts';
import type { RequestedVideo } from '../plan/requested-videos.ts';
import { toUploadText } from '../sidecars/format-description.ts';
import type { StageMusic, StageScene, StageVideo } from './stage-state.ts';

export interface LivePlan {
  readonly video: StageVideo;
  readonly timeline: Timeline;
  readonly music: ChosenMusic;
  /** By digest. */
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
}

/** @param photoIndexes - By digest, into the document's assets. */
export function toLivePlan(
  { agent, isBranded, options, timeline, music, ownFiles }: VideoPlan,
  requested: Pick<RequestedVideo, 'agent' | 'listing' | 'delivery'>,
  sources: Pick<LivePlan, 'photos' | 'graphics'>,
  photoIndexes: ReadonlyMap<string, number>,
): LivePlan {
  const { ratio, fps, widthPx, heightPx } = timeline.storyboard;
  const { safe } = LIMITS[ratio];
  return {
    video: {
      agent_id: agent?.id ?? '',
      agent_name: agent?.name ?? '',
      ratio,
      plan: planId(timeline, music),
      fps,
      frames: timeline.totalFrames,
      width_px: widthPx,
      height_px: heightPx,
      template_id: options.templateId,
      music: toStageMusic(music),
      own_files: ownFiles,
      scenes: describeScenes(timeline, photoIndexes),
      upload: toUploadText({
        storyboard: timeline.storyboard,
        listing: requested.listing,
        agent: isBranded ? requested.agent : null,
        delivery: requested.delivery,
      }),
      safe_area: {
        top: safe.y,
        right: widthPx - safe.x - safe.w,
        bottom: heightPx - safe.y - safe.h,
        left: safe.x,
      },
    },
    ...{ timeline, music },
    ...sources,
  };
}

function toStageMusic({ music, name, title }: ChosenMusic): StageMusic | null {
  if (music.kind === 'none') return null;
  const bpm = music.kind === 'file' ? tempoOfFile({ music }) : music.loaded.soundtrack.bpm;
  return { id: name, title: title ?? name, bpm };
}

/** Equal ids, equal frames and audio. */
function planId(timeline: Timeline, music: ChosenMusic): string {
  const { scenes, widthPx, heightPx, fps } = timeline.storyboard;
  return createHash('sha256')
    .update([RENDERER_VERSION, fontsFingerprint(), musicKey(music, timeline)].join('\0'))
    .update(JSON.stringify({ scenes, widthPx, heightPx, fps }))
    .digest('hex')
    .slice(0, 32);
}

function describeScenes(timeline: Timeline, photoIndexes: ReadonlyMap<string, number>): StageScene[] {
  const { storyboard, sceneSpans } = timeline;
  return storyboard.scenes.map(({ id, kind, layers }, index): StageScene => {
    const { startFrame, endFrame } = sceneSpans[index]!;
    const isSeenFrom = startFrame - (storyboard.scenes[index - 1]?.transition.durationFrames ?? 0);
    const indexes = [...new Set(layers.flatMap((layer) => photoIndexOf(layer, photoIndexes) ?? []))];
    return {
      ...{ id, kind, label: labelOf(kind, indexes) },
      from_frame: isSeenFrom,
      to_frame: endFrame,
      rest_frame: stillFrame(timeline, index),
      photo_indexes: indexes,
      texts: layers.flatMap((layer) => (layer.type === 'text' && layer.reads !== '' ? layer.reads : [])),
    };
  });
}

function photoIndexOf(layer: Layer, photoIndexes: ReadonlyMap<string, number>): number | undefined {
  return layer.type === 'photo' ? photoIndexes.get(layer.digest) : undefined;
}

const LABELS: Partial<Record<SceneKind, string>> = {
  hook: 'Hook',
  hero: 'Opening',
  facts: 'Facts',
  statement: 'Statement',
  address: 'Address',
  card: 'Agent',
  closing: 'Closing',
};

function labelOf(kind: SceneKind, photoIndexes: readonly number[]): string {
  const label = LABELS[kind];
  if (label !== undefined) return label;
  const numbers = photoIndexes.map((index) => index + 1);
  return `${numbers.length === 1 ? 'Photo' : 'Photos'} ${numbers.join(', ')}`;
}
