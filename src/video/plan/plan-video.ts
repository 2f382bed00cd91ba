/** Plans one video: its storyboard, timeline and music. What several plans can share comes in as {@link PlanTools}. */
import type { Photo } from '../../design/photo.ts';
import type { PhotoLight } from '../../design/storyboard/elements/scene-context.ts';
import type { PhotoTone } from '../../design/storyboard/grade-photos.ts';
import { toQuality } from '../../design/storyboard/scale-storyboard.ts';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import { missingCuts } from '../../design/text/fonts/family-fonts.ts';
import { ownFamily } from '../../design/text/fonts/own-fonts.ts';
import type { TextMeasurer } from '../../design/text/text.ts';
import { type DrawTransition, makeTimeline } from '../../design/timeline/make-timeline.ts';
import type { Timeline } from '../../design/timeline/timeline.ts';
import type { PreparedAssets } from '../../media/assets/prepare-assets.ts';
import { GROUP_FRAMES } from '../../media/encode/encode-settings.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import type { Delivery } from '../destinations/delivery.ts';
import type { Quality, VideoTaskOptions } from '../video-task.ts';
import type { AgentOptions } from './agent-options.ts';
import { type ChosenMusic, type MusicChooser, ownMusicDigest } from './music/choose-music.ts';
import { USUALLY_KEPT } from './neutral-data.ts';
import {
  type createSceneSharing,
  provideStoryboard,
  type StoryboardKeeping,
  type StoryboardSource,
} from './provide-storyboard.ts';
import { imageLayers, type RequestedVideo } from './requested-videos.ts';

/** Names what the bits of a segment depend on apart from its scenes, for frames of this size. */
export type Fingerprint = (size: { widthPx: number; heightPx: number; fps: number }) => string;

export interface VideoPlan {
  /** Null for an extra video without branding. */
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly isOtherShape: boolean;
  /** It shows agent and office. */
  readonly isBranded: boolean;
  readonly options: AgentOptions;
  readonly delivery: Delivery;
  /** As `--length` has it, of several; null without. */
  readonly length: string | null;
  readonly timeline: Timeline;
  readonly music: ChosenMusic;
  /** Digests of the user's own template and music; null for those that ship. */
  readonly ownFiles: { readonly template: string | null; readonly music: string | null };
  /** Sentences for the report, in addition to those of storyboard and music. */
  readonly notes: readonly string[];
}

export interface PlanTools {
  readonly musicChooser: MusicChooser;
  readonly quality: Quality;
  /** As in the options of a task. */
  readonly unbrandedKeep?: VideoTaskOptions['unbrandedKeep'];
  /** Where storyboards are kept; null: each is made. */
  readonly storyboards: StoryboardKeeping | null;
  readonly fingerprint: Fingerprint;
  readonly drawTransition: DrawTransition;
  readonly lightOf: (photo: Photo) => PhotoLight | undefined;
  readonly toneOf: (photo: Photo) => PhotoTone | undefined;
  readonly measurer: () => Promise<TextMeasurer>;
  /** Absent: each video is planned by itself. */
  readonly sharedScenes?: ReturnType<typeof createSceneSharing>;
  /** Called before the pixels of photos are read. */
  readonly requirePixels: () => Promise<void>;
}

/**
 * @param whole - Of the video that this one is a cut of.
 * @throws {@link ListingVideoError} `music_unusable` for music of the command line that cannot be used.
 */
export async function planVideo(
  video: RequestedVideo,
  assets: Pick<PreparedAssets, 'photos' | 'pictures' | 'logos'>,
  tools: PlanTools,
  whole?: Timeline,
): Promise<VideoPlan> {
  const { id, agent, listing: shown, isExtra, isOtherShape, options, template, notes, cutOf } = video;
  reportLiveness();
  const { templateData, ratio } = options;
  const { lightOf, toneOf } = tools;
  const unbrandedKeep = tools.unbrandedKeep ?? (isExtra ? USUALLY_KEPT : undefined);
  const images = new Map(
    [...imageLayers(template, templateData)].flatMap(([layer, url]) => {
      const image = assets.logos.get(url);
      return image ? [[layer, image] as const] : [];
    }),
  );
  const music = await tools.musicChooser.choose(template, templateData.music, shown.id);
  const source: StoryboardSource = {
    listing: shown,
    agent,
    template,
    templateData,
    ratio,
    photos: assets.photos,
    portrait: (!isExtra && agent.picture && assets.pictures.get(agent.picture)) || null,
    logo: images.get('logo') ?? null,
    images,
    ...(template.branding === 'none' && unbrandedKeep ? { unbrandedKeep } : {}),
    beats: music.beats,
    ...(cutOf === undefined ? {} : { cutOf }),
  };
  const board = await provideStoryboard(source, tools.storyboards, async () => {
    await tools.requirePixels();
    // Loaded only here: a listing that has not changed needs neither.
    const { makeStoryboard } = await import('../../design/storyboard/make-storyboard.ts');
    const shared = tools.sharedScenes && { shared: tools.sharedScenes(source) };
    return makeStoryboard({ ...source, ...shared, measurer: await tools.measurer(), lightOf, toneOf });
  });
  const storyboard = toQuality(board, tools.quality);
  return {
    agent: isExtra ? null : { id, name: `${agent.first_name} ${agent.last_name}`.trim() },
    isOtherShape,
    isBranded: !isExtra && template.branding !== 'none',
    options,
    delivery: video.delivery,
    length: video.length,
    timeline: makeTimeline(
      storyboard,
      tools.drawTransition,
      tools.fingerprint(storyboard),
      whole && { timeline: whole, groupFrames: GROUP_FRAMES },
    ),
    music,
    ownFiles: { template: template.fileDigest ?? null, music: ownMusicDigest(music) },
    notes: [...notes, ...fontNotes(board)],
  };
}

/**
 * Sentences for the report: which weights and italics of the video its own fonts lack, each once. The built-in families
 * are the designer's choice.
 */
export function fontNotes({ scenes }: Pick<Storyboard, 'scenes'>): string[] {
  const styles = scenes.flatMap(({ layers }) =>
    layers.flatMap((layer) =>
      layer.type === 'text' && ownFamily(layer.style.family) !== undefined ? [layer.style] : [],
    ),
  );
  return [...new Set(styles.flatMap(missingCuts).map(({ message }) => `the font ${message}`))];
}
