/**
 * report.html: a page for people, in one file without other hosts. It plays the media beside it, shows each storyboard as
 * stills and has the texts for an upload. It can be read without its script. Everything from the listing is escaped.
 */
import { minuteOf } from '../../platform/minute-of.ts';
import { destinationOf } from '../destinations/destination-table.ts';
import { formatClock } from '../format-clock.ts';
import { listWarnings } from './list-warnings.ts';
import type { Report, ReportAlteredPhoto, ReportEntry, ReportScene, ReportVideo } from './report.ts';
import { escapeHtml, fileHref } from './report-page/escape-html.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from './report-page/page-script.ts';
import { STYLE } from './report-page/page-style.ts';
import type { BesideTexts } from './report-page/read-texts.ts';
import { toTextsOf, toTrack } from './report-page/upload-texts.ts';

/** @param texts - Contents of the texts beside the videos, by file name. */
export function toReportHtml(report: Report, texts: BesideTexts = new Map()): string {
  const title = report.listing.address ?? report.listing.id;
  const shared = { stills: report.stills, texts, title };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${PAGE_SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src 'self' data: file:; media-src 'self' file: blob:; base-uri 'none'; form-action 'none'">
<meta name="generator" content="${escapeHtml(report.generator)}">
<title>${escapeHtml(title)} · listing videos</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="eyebrow">Listing ${escapeHtml(report.listing.id)}</p>
<h1>${escapeHtml(title)}</h1>
<p class="lede">${describeRun(report)}</p>
</header>
<main>
${report.videos.map((video) => toSection(video, withLength(video.agent_name, video), toMetadata(video.metadata), shared)).join('\n')}
${(report.also_ratio ?? []).map((video) => toSection(video, withLength(`${video.agent_name}, ${video.ratio.replace(':', ' × ')}`, video), '', shared)).join('\n')}
${(report.also_for ?? []).map((video) => toSection(video, withLength([video.agent_name, ...placeTitles(video.destinations)].join(', '), video), '', shared)).join('\n')}
${(report.unbranded ?? []).map((entry) => toSection(entry, withLength('Unbranded', entry), '', shared)).join('\n')}
${(report.kept ?? []).map((video) => toSection(video, `${video.agent_name ?? 'Unbranded'}, from an earlier run`, '', shared)).join('\n')}
${toDroppedSection(report)}
${toWarningsSection(report)}
${toTimingsSection(report)}
</main>
<footer>Made by ${escapeHtml(report.generator)} on <time datetime="${escapeHtml(report.created_at)}">${escapeHtml(
    minuteOf(report.created_at),
  )} UTC</time> · task <code>${escapeHtml(report.task_id)}</code> · <a href="report.json">report.json</a></footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function describeRun(report: Report): string {
  const { videos: own, also_ratio: other = [], also_for: further = [], unbranded = [] } = report;
  const count = own.length + other.length + further.length + unbranded.length;
  const videos = count === 1 ? '1 video' : `${count} videos`;
  const photos = `${report.assets.used} of ${report.assets.given} photos`;
  const quality = report.quality === null ? '' : `, ${escapeHtml(report.quality)} quality`;
  const server = report.server === undefined ? '' : ` at ${escapeHtml(report.server.url)}`;
  return `${videos} from ${photos}${quality}, in ${formatSeconds(report.timings.total)}${server}`;
}

/** What all sections show. */
interface Shared {
  readonly stills: Report['stills'];
  readonly texts: BesideTexts;
  /** The house, in words. */
  readonly title: string;
}

/** @param name - Title of the section, not escaped. @param metadata - Markup. */
function toSection(video: ReportEntry, name: string, metadata: string, shared: Shared): string {
  const { stills, texts, title } = shared;
  const [width, height] = video.ratio.split(':');
  const preview = video.preview
    ? `<figure class="preview"><img src="${fileHref(video.preview.file)}" alt="Preview of the video for ${escapeHtml(name)}" loading="lazy"><figcaption>Preview · ${formatBytes(video.preview.size_bytes)}</figcaption></figure>`
    : '';
  const poster = video.poster === null ? '' : ` poster="${fileHref(video.poster.file)}"`;
  const isTall = Number(height) > Number(width);
  return `<section class="video${isTall ? ' tall' : ''}" aria-label="Video for ${escapeHtml(name)}">
<h2>${escapeHtml(name)}</h2>
<div class="media">
<figure class="player"><video controls playsinline preload="none" width="${width}" height="${height}"${poster} src="${fileHref(video.video.file)}" aria-label="Listing video for ${escapeHtml(name)}">${toTrack(video, texts)}</video>
<figcaption><a href="${fileHref(video.video.file)}">${escapeHtml(video.video.file)}</a> · ${video.duration_sec.toFixed(1)} s · ${escapeHtml(describeFrames(video))} · ${formatBytes(video.video.size_bytes)}${describeWork(video)}${toLinks(video)}</figcaption></figure>
${preview}
</div>
${toFits(video.destinations)}${toTextsOf(video, texts, title)}${toScenes(video.scenes, stills)}${toAltered(video.altered_photos, stills)}${toSound(video.sound)}${metadata}
</section>`;
}

/** Whether the file fits the places that it was made for. */
function toFits(destinations: ReportEntry['destinations']): string {
  if (!Array.isArray(destinations) || destinations.length === 0) return '';
  const rows = destinations.map(({ name, fits, reasons }) => {
    const answer = fits ? 'fits' : `does not fit: ${reasons.join('; ')}`;
    return `<div><dt>${escapeHtml(destinationOf(name).title)}</dt><dd>${escapeHtml(answer)}</dd></div>`;
  });
  return `<dl class="facts fits">${rows.join('')}</dl>\n`;
}

function placeTitles(destinations: ReportEntry['destinations'] = []): string[] {
  return destinations.map(({ name }) => destinationOf(name).title);
}

/** The name of a video with its length, where the agent has several. */
function withLength(name: string, { length }: ReportEntry): string {
  return length === undefined ? name : `${name}, ${length}`;
}

/** The size of the frames, and of a draft what else is less than usual. */
function describeFrames({ ratio, width_px, height_px, fps, quality }: ReportEntry): string {
  if (width_px === undefined || height_px === undefined) return ratio.replace(':', ' × ');
  const size = `${width_px} × ${height_px}`;
  return quality === 'draft' ? `draft, ${size}, ${fps} frames per second` : size;
}

/** Links to the smaller file and the texts beside the video. */
function toLinks({ small_video: small, captions, description }: ReportEntry): string {
  const links = [
    [small, `720p, ${formatBytes(small?.size_bytes ?? 0)}`],
    [captions, 'captions'],
    [description, 'title and description'],
  ] as const;
  return links
    .flatMap(([file, name]) => (file ? ` · <a href="${fileHref(file.file)}">${name}</a>` : []))
    .join('');
}

function describeWork(video: ReportEntry): string {
  if (video.is_unchanged) return ' · unchanged since the last run';
  const { rendered, reused } = video.segments;
  if (rendered + reused === 0) return '';
  return ` · ${rendered} of ${rendered + reused} scenes rendered, ${reused} reused`;
}

function toScene(scene: ReportScene, stills: Report['stills']): string {
  const still = stills[scene.still];
  const words = scene.texts.join(' · ') || `${scene.kind} scene`;
  const image = still
    ? `<img src="${escapeHtml(still)}" alt="${escapeHtml(words)}" loading="lazy">`
    : '<div class="blank"></div>';
  return `<li>${image}<p><b>${formatClock(scene.start_sec)}</b> ${escapeHtml(scene.kind)}</p><p class="words">${escapeHtml(scene.texts.join(' · '))}</p></li>`;
}

function toScenes(scenes: readonly ReportScene[], stills: Report['stills']): string {
  if (scenes.length === 0) return '';
  return `<ol class="scenes">\n${scenes.map((scene) => toScene(scene, stills)).join('\n')}\n</ol>\n`;
}

function toAltered(photos: ReportEntry['altered_photos'], stills: Report['stills']): string {
  if (!Array.isArray(photos) || photos.length === 0) return '';
  const items = photos.map((photo) => toAlteredItem(photo, stills));
  return `<h3>Altered photos</h3>\n<ul class="altered">\n${items.join('\n')}\n</ul>\n`;
}

function toAlteredItem(photo: ReportAlteredPhoto, stills: Report['stills']): string {
  const { url, label, original_url: originalUrl, spans, original_spans: originalSpans } = photo;
  const frames =
    photo.still === photo.original_still
      ? [toFrame(photo.still, `Frame with the altered and the original photo: ${label}`, stills)]
      : [
          toFrame(photo.still, `Frame with the altered photo: ${label}`, stills),
          toFrame(photo.original_still, 'Frame with the original photo', stills),
        ];
  const shown = formatSpans(spans) || 'not visible';
  const original =
    originalSpans.length > 0 ? `original ${formatSpans(originalSpans)}` : 'no original in the video';
  const addresses = [url, ...(originalUrl === null ? [] : [`Original: ${originalUrl}`])];
  return `<li>${frames.join('')}<p><b>${escapeHtml(label)}</b> ${shown}, ${original}</p>${addresses
    .map((address) => `<p class="address">${escapeHtml(address)}</p>`)
    .join('')}</li>`;
}

function toFrame(key: string | undefined, alt: string, stills: Report['stills']): string {
  const still = key === undefined ? undefined : stills[key];
  return still === undefined
    ? ''
    : `<img src="${escapeHtml(still)}" alt="${escapeHtml(alt)}" loading="lazy">`;
}

/** `0:12 to 0:15, 0:40 to 0:43` */
function formatSpans(spans: ReportAlteredPhoto['spans']): string {
  return spans.map((span) => `${formatClock(span.start_sec)} to ${formatClock(span.end_sec)}`).join(', ');
}

function toSound(sound: ReportEntry['sound']): string {
  if (sound === null) return '';
  const { music, title, bpm, loudness_lufs } = sound;
  if (music === 'none') return '<p class="sound">No music</p>\n';
  const name = title === null ? music : `${title} (${music})`;
  const loudness = loudness_lufs === null ? '' : ` · ${loudness_lufs.toFixed(1)} LUFS`;
  const tempo = bpm == null ? '' : ` · ${Math.round(bpm)} beats a minute`;
  return `<p class="sound">Music: ${escapeHtml(name)}${escapeHtml(tempo + loudness)}</p>\n`;
}

function toMetadata(metadata: ReportVideo['metadata']): string {
  const rows = Object.entries(metadata);
  if (rows.length === 0) return '';
  const items = rows.map(
    ([key, value]) => `<div><dt>${escapeHtml(key)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<h3>Metadata</h3>\n<dl class="facts">${items.join('')}</dl>\n`;
}

function toDroppedSection(report: Report): string {
  if (report.dropped_assets.length === 0) return '';
  const rows = report.dropped_assets.map(
    ({ url, reason }) => `<tr><td class="url">${escapeHtml(url)}</td><td>${escapeHtml(reason)}</td></tr>`,
  );
  return `<section><h2>Images left out</h2>
<p>These images failed a check and are not in the videos.</p>
<table><thead><tr><th scope="col">Image</th><th scope="col">Reason</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></section>`;
}

function toWarningsSection(report: Report): string {
  const warnings = listWarnings(report);
  return toSentences('Warnings', warnings) + toSentences('Notes', report.notes ?? []);
}

function toSentences(heading: string, sentences: readonly string[]): string {
  if (sentences.length === 0) return '';
  const items = sentences.map((sentence) => `<li>${escapeHtml(sentence)}</li>`);
  return `<section><h2>${heading}</h2>\n<ul class="notes">${items.join('')}</ul></section>`;
}

function toTimingsSection(report: Report): string {
  const { total, ...stages } = report.timings;
  // The stages of a server are not known here.
  const known = report.server === undefined ? Object.entries(stages) : [];
  const rows = known.map(([stage, seconds]) => {
    const share = total > 0 ? Math.min(100, (100 * seconds) / total) : 0;
    return `<div><dt>${escapeHtml(stage)}</dt><dd><span class="bar"><span style="width:${share.toFixed(1)}%"></span></span>${formatSeconds(seconds)}</dd></div>`;
  });
  return `<section><h2>Timings</h2><dl class="timings">${rows.join('\n')}<div class="total"><dt>total</dt><dd>${formatSeconds(total)}</dd></div></dl></section>`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
