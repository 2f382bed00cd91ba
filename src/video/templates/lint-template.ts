/**
 * Checks a template's layouts: lays out plain and hard listings in both ratios and lints every scene. Nothing is
 * rendered.
 */
import type { DroppedAsset, Photo } from '../../design/photo.ts';
import { describeStoryboard } from '../../design/storyboard/describe-storyboard.ts';
import type { PhotoLight } from '../../design/storyboard/elements/scene-context.ts';
import type { PhotoTone } from '../../design/storyboard/grade-photos.ts';
import { lintAddress, warnOfPlaces } from '../../design/storyboard/lint-announcements.ts';
import { type LintFinding, lintStoryboard } from '../../design/storyboard/lint-storyboard.ts';
import { makeStoryboard } from '../../design/storyboard/make-storyboard.ts';
import { resolvePalette } from '../../design/storyboard/palette.ts';
import { RATIOS, type Template } from '../../design/template/template.ts';
import type { TextMeasurer } from '../../design/text/text.ts';
import { createTextMeasurer } from '../../design/text/text-measurer.ts';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { openRun, type Run } from '../open-run.ts';
import { photosByDigest } from '../plan/gather-assets.ts';
import { createLightMeter } from '../plan/photo-light.ts';
import { createToneMeter } from '../plan/photo-tone.ts';
import { imageLayers } from '../plan/requested-videos.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { WorkOptions } from '../video-task.ts';
import { lintOverlaps } from './lint-overlaps.ts';
import { lintType } from './lint-type.ts';
import { type LayoutCase, stressCases } from './stress-listings.ts';
import { openTemplates } from './template-fonts.ts';

export interface ListingToLint {
  /** For findings: the file. */
  readonly name: string;
  readonly listing: Listing;
  readonly baseDir: string | null;
  /** Also lays out hard variations of its first agent's video. */
  readonly hasStressCases: boolean;
}

export interface LintRequest {
  readonly templateId: string;
  readonly templatesDirs: readonly string[];
  readonly listings: readonly ListingToLint[];
}

/** Printed in the JSON document of the command. */
export interface TemplateFinding extends LintFinding {
  readonly listing: string;
  /** The video: an agent's id, or the variation in words. */
  readonly video: string;
  readonly ratio: AspectRatio;
  /** Where the scene begins in the video. */
  readonly at_sec: number;
}

export interface TemplateLint {
  readonly findings: readonly TemplateFinding[];
  /** Colors that are replaced, and what the template has no place for; no fault. */
  readonly warnings: readonly string[];
  readonly videoCount: number;
  /** Each with the name of its listing. */
  readonly dropped_assets: readonly (DroppedAsset & { readonly listing: string })[];
}

/**
 * Lays out every agent's video of each listing in both ratios, and the hard variations of those that have them.
 *
 * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`, `no_usable_assets`; the signal's reason.
 */
export async function lintTemplate(
  { templateId, templatesDirs, listings }: LintRequest,
  deps: RenderDeps,
  { signal, onProgress = () => {} }: WorkOptions,
): Promise<TemplateLint> {
  const templates = openTemplates({ templatesDirs });
  const template = await templates.get(templateId);
  const measurer = await createTextMeasurer();
  const options = { templateId: template.id, quality: 'standard', minAssets: 1, force: false } as const;
  const onAssets = (done: number, total: number) =>
    onProgress({ percent: (100 * done) / total, stage: 'assets', etaSeconds: null });
  const findings: TemplateFinding[] = [];
  const dropped: (DroppedAsset & { listing: string })[] = [];
  let videoCount = 0;
  for (const { name, listing, baseDir, hasStressCases } of listings) {
    const request = { listing, baseDir, options };
    const run = await openRun(request, { ...deps, templatesDirs }, { signal, onAssets, templates });
    try {
      run.requireEnoughAssets();
      dropped.push(...run.assets.dropped.map((asset) => ({ listing: name, ...asset })));
      const layoutDeps: LayoutDeps = {
        template,
        measurer,
        run,
        lightOf: createLightMeter(),
        toneOf: createToneMeter(),
      };
      const plain = run.agentVideos.map(
        ({ id, agent, options: { templateData } }): LayoutCase => ({
          name: id,
          listing,
          agent,
          data: templateData,
          photos: run.assets.photos,
          hasPortrait: true,
        }),
      );
      const cases = hasStressCases ? [...plain, ...stressCases(plain[0]!, template.dataLayers)] : plain;
      for (const [index, layoutCase] of cases.entries()) {
        for (const ratio of RATIOS) {
          const found = lintCase(layoutCase, ratio, layoutDeps);
          findings.push(...found.map((finding) => ({ listing: name, ...finding })));
        }
        videoCount += RATIOS.length;
        onProgress({ percent: (100 * (index + 1)) / cases.length, stage: 'storyboard', etaSeconds: null });
        // Layout blocks the event loop: yield here, so that Ctrl-C works.
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    } finally {
      await run.close();
    }
  }
  const ofColors = resolvePalette(template.palette, {}, template.paletteRules).warnings;
  const warnings = [...ofColors, ...warnOfPlaces(template)];
  return { findings, warnings, videoCount, dropped_assets: dropped };
}

interface LayoutDeps {
  readonly template: Template;
  readonly measurer: TextMeasurer;
  readonly run: Run;
  readonly lightOf: (photo: Photo) => PhotoLight | undefined;
  readonly toneOf: (photo: Photo) => PhotoTone | undefined;
}

function lintCase(
  { name, listing, agent, data, photos, hasPortrait }: LayoutCase,
  ratio: AspectRatio,
  { template, measurer, run: { assets }, lightOf, toneOf }: LayoutDeps,
): Omit<TemplateFinding, 'listing'>[] {
  const logo = imageLayers(template, data).get('logo');
  const storyboard = makeStoryboard({
    listing,
    agent,
    template,
    templateData: data,
    ratio,
    photos,
    measurer,
    lightOf,
    toneOf,
    portrait: (hasPortrait && agent.picture && assets.pictures.get(agent.picture)) || null,
    logo: (logo !== undefined && assets.logos.get(logo)) || null,
  });
  const byDigest = photosByDigest({ photos, pictures: assets.pictures });
  const light = (digest: string) => {
    const photo = byDigest.get(digest);
    return photo && lightOf(photo);
  };
  const starts = new Map(describeStoryboard(storyboard).map(({ id, startSec }) => [id, startSec]));
  const findings: LintFinding[] = [
    ...lintStoryboard(storyboard, byDigest, light),
    ...lintOverlaps(storyboard, byDigest),
    ...lintType(storyboard, measurer),
    ...lintAddress(storyboard, listing),
  ];
  return findings.map((finding) => ({
    video: name,
    ratio,
    at_sec: starts.get(finding.scene) ?? 0,
    ...finding,
  }));
}
