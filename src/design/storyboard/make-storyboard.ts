import type { AspectRatio } from '../../listing/listing.ts';
import { isUploadText } from '../../listing/words/upload-texts.ts';
import { fillDataLayers } from '../template/data-layers.ts';
import { chooseHanVariants } from './choose-han-variants.ts';
import { cutToLength, type FittedScenes, fitToLength } from './cut/cut-to-length.ts';
import { factWords } from './elements/facts-element.ts';
import { gradeScenes } from './grade-photos.ts';
import { missingCharacterWarnings } from './missing-characters.ts';
import { finishScenes, timeScenes } from './motion/animate-scenes.ts';
import { withPosterFirst } from './motion/poster-first.ts';
import { resolvePalette } from './palette.ts';
import { readsFromRight } from './reading-direction.ts';
import type { SceneDraft } from './scenes/build-scene.ts';
import { draftScenes, type StoryboardRequest } from './scenes/draft-scenes.ts';
import { toStoryboardWords } from './scenes/scene-texts.ts';
import { TypeSetter } from './set-type.ts';
import { type AlteredPhoto, LAYOUT_FPS as FPS, type Scene, type Storyboard } from './storyboard.ts';
import { joinWords } from './texts.ts';

const FRAMES: Readonly<Record<AspectRatio, { readonly w: number; readonly h: number }>> = {
  '1920:1080': { w: 1920, h: 1080 },
  '1080:1920': { w: 1080, h: 1920 },
};

/**
 * The storyboard of one agent's video.
 *
 * The agent appears in the last scene and in the metadata only: all other scenes are equal, byte for byte, for all
 * agents with the same template, ratio and data.
 */
export function makeStoryboard(request: StoryboardRequest): Storyboard {
  const { template, ratio } = request;
  const design = template.ratios[ratio];
  const frame = FRAMES[ratio];
  const data = fillDataLayers(template.dataLayers, request.templateData, template.withoutLayers);
  const colors = resolvePalette(
    template.palette,
    {
      ...(data.given.has('accent') ? { accent: data.values.accent! } : {}),
      ...(data.given.has('paper') ? { paper: data.values.paper! } : {}),
      ...(data.given.has('ink') ? { ink: data.values.ink! } : {}),
    },
    template.paletteRules,
  );
  const shown = Object.entries(data.values).flatMap(([name, value]) => (isUploadText(name) ? [] : value));
  const han = chooseHanVariants(request.listing, request.agent, shown);
  const isRtl = readsFromRight(request.listing, request.agent, data.values.headline);
  const typeOf = (part: 'scenes' | 'card') =>
    new TypeSetter(request.measurer, template.styleDefaults, design.styles, han[part], isRtl[part]);
  const cardType = typeOf('card');
  const type = request.shared?.type(() => typeOf('scenes')) ?? typeOf('scenes');
  const deps = { design, frame, fps: FPS, data, palette: colors.palette, type, cardType };
  const { beats = null, cutOf } = request;
  const timedFor = (length: string | undefined): FittedScenes =>
    fitToLength(beats, (correctionSec) => {
      const values = length === undefined ? data.values : { ...data.values, length };
      const drafted = draftScenes(request, { ...deps, data: { ...data, values } }, correctionSec);
      const timed = timeScenes(drafted, design, colors.palette, beats);
      return {
        drafted,
        made: drafted.made,
        timed,
        animated: finishScenes(drafted, timed, design, colors.palette),
      };
    });
  const cut =
    cutOf === undefined
      ? null
      : cutToLength(timedFor(cutOf), data.values.length ?? '', design, colors.palette, beats);
  const { drafted, made, animated, offLength } = cut ?? timedFor(undefined);
  const { listingTexts, cardTexts, disclosure } = drafted;
  const { drafts } = made;
  const omissions = drafted.describe(made);
  const timed = data.values['poster-first'] === 'true' ? withPosterFirst(animated) : animated;
  const scenes = gradeScenes(timed, drafted.gradeOf);
  return {
    templateId: template.id,
    ratio,
    widthPx: frame.w,
    heightPx: frame.h,
    fps: FPS,
    scenes,
    title:
      listingTexts.upload.title ||
      joinWords([listingTexts.title, template.branding === 'none' ? '' : cardTexts.name], ' — '),
    comment: listingTexts.facts.map((fact) => factWords(fact, 'long')).join(' · '),
    words: toStoryboardWords(listingTexts, disclosure),
    highlights: chooseHighlights(scenes),
    altered: listAltered(drafts, request),
    missingCaptions: omissions.missingCaptions,
    warnings: [
      ...data.faults.map(({ message }) => message),
      ...colors.warnings,
      ...omissions.warnings,
      ...offLength,
      ...missingCharacterWarnings(
        new Map([
          ...type.missing.map((point) => [point, han.scenes] as const),
          ...cardType.missing.map((point) => [point, han.card] as const),
        ]),
        request.measurer,
      ),
    ],
  };
}

/** The altered photos that the video shows, in their order. */
function listAltered(drafts: readonly SceneDraft[], { photos, listing }: StoryboardRequest): AlteredPhoto[] {
  const shown = drafts.flatMap(({ layers }) =>
    layers.flatMap((layer) => (layer.type === 'photo' ? [layer] : [])),
  );
  return photos.flatMap(({ digest, url, original, assetIndex }): AlteredPhoto[] => {
    const label = shown.find(
      ({ photo }) => photo.digest === digest && photo.label !== undefined && photo.comparedAs !== 'original',
    )?.photo.label;
    if (label === undefined) return [];
    return [
      {
        url,
        label,
        originalUrl: listing.assets[assetIndex]!.original ?? null,
        digest,
        originalDigest: original?.digest ?? null,
      },
    ];
  });
}

const MAX_FROM_BODY = 3;

/**
 * Indexes of the scenes in the preview, ascending: the opening, up to three of the body, the ending. Of the body
 * first a single, the facts and a scene of several photos, which show most in little time.
 */
function chooseHighlights(scenes: readonly Scene[]): number[] {
  const card = scenes.findIndex(({ kind }) => kind === 'card');
  const last = card < 0 ? scenes.length - 1 : card;
  const opening = scenes.findIndex(({ kind }) => kind === 'hero');
  const body = scenes.map((scene, index) => ({ scene, index })).slice(opening + 1, last);
  const picked = new Set<number>();
  const pick = (found: { readonly index: number } | undefined) => found && picked.add(found.index);
  pick(body.find(({ scene }) => scene.kind === 'photo'));
  pick(body.find(({ scene }) => scene.kind === 'facts'));
  const lively = body.filter(({ scene }) => scene.kind !== 'floor_plan' && scene.kind !== 'originals');
  pick(lively.findLast(({ scene }) => scene.kind !== 'photo' && scene.kind !== 'facts'));
  for (const { index } of [...lively.toReversed(), ...body.toReversed()]) {
    if (picked.size >= Math.min(MAX_FROM_BODY, body.length)) break;
    picked.add(index);
  }
  return [opening, ...[...picked].sort((a, b) => a - b), last];
}
