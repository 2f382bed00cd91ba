/**
 * Checks a template by the layout rules (storyboard/README.md): lays out plain and hard listings in both ratios and lints every scene.
 * Nothing is rendered.
 */
import type { DroppedAsset, Photo } from '../../assets/photo.ts';
import type { PreparedAssets } from '../../assets/prepare-assets.ts';
import type { AspectRatio, Listing } from '../../listing/listing.ts';
import { describeStoryboard } from '../../storyboard/describe-storyboard.ts';
import type { PhotoLight } from '../../storyboard/elements/scene-context.ts';
import { type LintFinding, lintStoryboard } from '../../storyboard/lint-storyboard.ts';
import { makeStoryboard } from '../../storyboard/make-storyboard.ts';
import { loadTemplate } from '../../template/load-template.ts';
import type { Template } from '../../template/template.ts';
import type { TextMeasurer } from '../../text/text.ts';
import { createTextMeasurer } from '../../text/text-measurer.ts';
import { toAgentOptions } from '../plan/agent-options.ts';
import { gatherAssets, photosByDigest, requireEnoughAssets } from '../plan/gather-assets.ts';
import { imageLayers } from '../plan/image-layers.ts';
import { createLightMeter } from '../plan/photo-light.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { WorkOptions } from '../video-task.ts';
import { openWorkFolder } from '../work-folder.ts';
import { type LayoutCase, stressCases } from './stress-listings.ts';

export interface ListingToLint {
  /** As it is told: the file. */
  readonly name: string;
  readonly listing: Listing;
  readonly baseDir: string | null;
  /** Hard variations are made of its first agent's film besides. */
  readonly hasStressCases: boolean;
}

export interface LintRequest {
  readonly templateId: string;
  readonly templatesDirs: readonly string[];
  readonly listings: readonly ListingToLint[];
}

export interface TemplateFinding extends LintFinding {
  /** Name of the listing. */
  readonly listing: string;
  /** Which film of it: an agent's id, or in words what was changed. */
  readonly film: string;
  readonly ratio: AspectRatio;
  /** Where the scene begins in the film. */
  readonly atSec: number;
}

export interface TemplateLint {
  readonly findings: readonly TemplateFinding[];
  /** Films that were laid out. */
  readonly filmCount: number;
  readonly dropped_assets: readonly DroppedAsset[];
}

const RATIOS = ['1920:1080', '1080:1920'] as const satisfies readonly AspectRatio[];

/**
 * Each listing with each of its agents as it is, in both ratios, and the hard variations of those that ask for them.
 *
 * @throws {@link ListingVideoError} `template_not_found`, `template_invalid`, `no_usable_assets`; the signal's reason.
 */
export async function lintTemplate(
  { templateId, templatesDirs, listings }: LintRequest,
  deps: RenderDeps,
  { signal, onProgress = () => {} }: WorkOptions,
): Promise<TemplateLint> {
  const template = await loadTemplate(templateId, { templatesDirs });
  const measurer = await createTextMeasurer();
  const findings: TemplateFinding[] = [];
  const dropped: DroppedAsset[] = [];
  let filmCount = 0;
  for (const wanted of listings) {
    const work = await openWorkFolder(deps.home);
    try {
      const shop = { ...deps, templatesDirs };
      const assets = await gather(wanted, template.id, shop, work.path, { signal, onProgress });
      dropped.push(...assets.dropped);
      const table: DraftingTable = { template, measurer, assets, lightOf: createLightMeter() };
      const films = listFilms(wanted, table);
      for (const [index, film] of films.entries()) {
        for (const ratio of RATIOS) {
          const found = lintFilm(film, ratio, table);
          findings.push(...found.map((finding) => ({ listing: wanted.name, ...finding })));
        }
        filmCount += RATIOS.length;
        onProgress({ percent: (100 * (index + 1)) / films.length, stage: 'storyboard', etaSeconds: null });
        // Laying out holds the thread: here a Ctrl-C is heard.
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
    } finally {
      await work.close();
    }
  }
  return { findings, filmCount, dropped_assets: dropped };
}

/** What films of one listing are laid out with. */
interface DraftingTable {
  readonly template: Template;
  readonly measurer: TextMeasurer;
  readonly assets: PreparedAssets;
  readonly lightOf: (photo: Photo) => PhotoLight | undefined;
}

const NO_OPTIONS = { quality: 'draft', minAssets: 1, force: false } as const;

async function gather(
  { listing, baseDir }: ListingToLint,
  templateId: string,
  deps: RenderDeps,
  workDir: string,
  { signal, onProgress }: Required<WorkOptions>,
): Promise<PreparedAssets> {
  const payload = { listing, baseDir, options: { ...NO_OPTIONS, templateId } };
  const assets = await gatherAssets(
    { ...payload, listingFile: null, outputDir: workDir },
    deps,
    workDir,
    signal,
    (done, total) => onProgress({ percent: (100 * done) / total, stage: 'assets', etaSeconds: null }),
  );
  requireEnoughAssets(assets, listing.assets.length, 1);
  return assets;
}

function listFilms(
  { listing, hasStressCases }: ListingToLint,
  { template, assets }: DraftingTable,
): LayoutCase[] {
  const films = listing.agents.map((agent): LayoutCase => {
    const { templateData } = toAgentOptions(agent, { ...NO_OPTIONS, templateId: template.id });
    const { photos } = assets;
    return { name: agent.id, listing, agent, data: templateData, photos, hasPortrait: true };
  });
  return hasStressCases ? [...films, ...stressCases(films[0]!, template.dataLayers)] : films;
}

function lintFilm(
  { name, listing, agent, data, photos, hasPortrait }: LayoutCase,
  ratio: AspectRatio,
  { template, measurer, assets, lightOf }: DraftingTable,
): Omit<TemplateFinding, 'listing'>[] {
  const logo = imageLayers(template, data).get('logo');
  const storyboard = makeStoryboard({
    ...{ listing, agent, template, templateData: data, ratio, photos, measurer, lightOf },
    portrait: (hasPortrait && agent.picture && assets.pictures.get(agent.picture)) || null,
    logo: (logo !== undefined && assets.logos.get(logo)) || null,
  });
  const byDigest = photosByDigest({ photos, pictures: assets.pictures });
  const light = (digest: string) => {
    const photo = byDigest.get(digest);
    return photo && lightOf(photo);
  };
  const starts = new Map(describeStoryboard(storyboard).map(({ id, startSec }) => [id, startSec]));
  return lintStoryboard(storyboard, byDigest, light).map((finding) => ({
    ...{ film: name, ratio, atSec: starts.get(finding.scene) ?? 0 },
    ...finding,
  }));
}
