/** What `--verbose` tells beyond the rest: settings that somebody chose, and where the time of a run went. Pure. */
import { formatSize } from '../settings/parse-size.ts';
import type { ResolvedSettings } from '../settings/resolve-settings.ts';
import { SETTING_NAMES, SETTINGS, shownValue } from '../settings/setting-table.ts';
import type { Report } from '../video/publish/report.ts';
import { escapeText } from './terminal/escape-text.ts';

/** `setting quality = draft (env)`; defaults go without saying. */
export function settingLines(resolved: ResolvedSettings): string[] {
  return SETTING_NAMES.filter((name) => resolved[name].source !== 'default').map((name) => {
    const { value, source } = resolved[name];
    return escapeText(`setting ${SETTINGS[name].flag.slice(2)} = ${shownValue(name, value)} (${source})`);
  });
}

/** A line per video, then the seconds of each stage. */
export function reportLines({ videos = [], timings }: Partial<Report>): string[] {
  const lines = videos.map(({ agent_id, templateId, ratio, frames, segments, video }) =>
    escapeText(
      `video ${agent_id}: ${templateId} ${ratio}, ${frames} frames, ${segments.rendered} segments rendered, ` +
        `${segments.reused} reused, ${formatSize(video.sizeBytes)}`,
    ),
  );
  if (timings === undefined) return lines;
  const stages = Object.entries(timings).map(([stage, seconds]) => `${stage} ${Number(seconds).toFixed(1)}`);
  return [...lines, escapeText(`seconds: ${stages.join(', ')}`)];
}
