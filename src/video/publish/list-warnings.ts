/** The warnings of a task, each sentence once. Pure. */
import type { ReportEntry, ReportVideo } from './report.ts';

/** A sentence names so many videos. */
const MAX_LABELS = 3;

type Warned = Pick<ReportEntry, 'ratio' | 'named_for' | 'warnings'>;

/** Of a report or of a dry run. */
export interface WarnedVideos {
  /** About the whole task. */
  readonly warnings?: readonly string[];
  readonly videos?: readonly (Warned & Pick<ReportVideo, 'agent_id'>)[];
  readonly also_ratio?: WarnedVideos['videos'];
  readonly also_for?: WarnedVideos['videos'];
  readonly unbranded?: readonly Warned[];
}

/**
 * Sentences about the whole task, then about the videos, in their order. One that holds for every video stands alone;
 * another begins with the agents whose videos it is about: `june, ann: …`.
 */
export function listWarnings({
  warnings: general = [],
  videos = [],
  also_ratio: alsoRatio = [],
  also_for: alsoFor = [],
  unbranded = [],
}: WarnedVideos): string[] {
  const all = [
    ...videos.map((video) => ({ label: video.agent_id, ...video })),
    ...alsoRatio.map((video) => ({ label: `${video.agent_id} ${video.ratio}`, ...video })),
    ...alsoFor.map((video) => ({ label: `${video.agent_id} ${video.named_for ?? ''}`.trim(), ...video })),
    ...unbranded.map((video) => ({ label: `unbranded ${video.ratio}`, ...video })),
  ];
  const labels = new Map<string, Set<string>>();
  for (const { label, warnings = [] } of all)
    for (const warning of warnings) labels.set(warning, (labels.get(warning) ?? new Set()).add(label));
  const ofVideos = [...labels].map(([warning, about]) =>
    about.size === all.length ? warning : `${formatLabels([...about])}: ${warning}`,
  );
  return [...new Set([...general, ...ofVideos])];
}

function formatLabels(labels: readonly string[]): string {
  const rest = labels.length - MAX_LABELS;
  return `${labels.slice(0, MAX_LABELS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
