/**
 * report.html: a page for people, in one file without scripts or other hosts. It plays the media beside it and shows
 * each storyboard as stills. Everything from the listing is escaped.
 */
import { minuteOf } from '../../platform/minute-of.ts';
import { destinationOf } from '../destinations/destination-table.ts';
import { formatClock } from '../format-clock.ts';
import { listWarnings } from './list-warnings.ts';
import type { Report, ReportAlteredPhoto, ReportEntry, ReportScene, ReportVideo } from './report.ts';

export function toReportHtml(report: Report): string {
  const title = report.listing.address ?? report.listing.id;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: file:; media-src 'self' file:">
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
${report.videos.map((video) => toSection(video, withLength(video.agent_name, video), toMetadata(video.metadata), report.stills)).join('\n')}
${(report.also_ratio ?? []).map((video) => toSection(video, withLength(`${video.agent_name}, ${video.ratio.replace(':', ' × ')}`, video), '', report.stills)).join('\n')}
${(report.also_for ?? []).map((video) => toSection(video, withLength([video.agent_name, ...placeTitles(video.destinations)].join(', '), video), '', report.stills)).join('\n')}
${(report.unbranded ?? []).map((entry) => toSection(entry, withLength('Unbranded', entry), '', report.stills)).join('\n')}
${(report.kept ?? []).map((video) => toSection(video, `${video.agent_name ?? 'Unbranded'}, from an earlier run`, '', report.stills)).join('\n')}
${toDroppedSection(report)}
${toWarningsSection(report)}
${toTimingsSection(report)}
</main>
<footer>Made by ${escapeHtml(report.generator)} on <time datetime="${escapeHtml(report.created_at)}">${escapeHtml(
    minuteOf(report.created_at),
  )} UTC</time> · task <code>${escapeHtml(report.task_id)}</code> · <a href="report.json">report.json</a></footer>
</body>
</html>
`;
}

/** Safe in text and in double-quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
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

/** @param name - Title of the section, not escaped. @param metadata - Markup. */
function toSection(video: ReportEntry, name: string, metadata: string, stills: Report['stills']): string {
  const [width, height] = video.ratio.split(':');
  const preview = video.preview
    ? `<figure class="preview"><img src="${fileHref(video.preview.file)}" alt="Preview of the video for ${escapeHtml(name)}" loading="lazy"><figcaption>Preview · ${formatBytes(video.preview.size_bytes)}</figcaption></figure>`
    : '';
  const poster = video.poster === null ? '' : ` poster="${fileHref(video.poster.file)}"`;
  const isTall = Number(height) > Number(width);
  return `<section class="video${isTall ? ' tall' : ''}" aria-label="Video for ${escapeHtml(name)}">
<h2>${escapeHtml(name)}</h2>
<div class="media">
<figure class="player"><video controls playsinline preload="none" width="${width}" height="${height}"${poster} src="${fileHref(video.video.file)}" aria-label="Listing video for ${escapeHtml(name)}"></video>
<figcaption><a href="${fileHref(video.video.file)}">${escapeHtml(video.video.file)}</a> · ${video.duration_sec.toFixed(1)} s · ${escapeHtml(describeFrames(video))} · ${formatBytes(video.video.size_bytes)}${describeWork(video)}${toTexts(video)}</figcaption></figure>
${preview}
</div>
${toFits(video.destinations)}${toScenes(video.scenes, stills)}${toAltered(video.altered_photos, stills)}${toSound(video.sound)}${metadata}
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

/** Links to the texts beside the video. */
function toTexts({ captions, description }: ReportEntry): string {
  const links = [
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
  const frames = [
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

/** A file beside the page. The leading `./` keeps a name with a colon from being read as a scheme. */
function fileHref(name: string): string {
  return escapeHtml(`./${encodeURIComponent(name)}`);
}

function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The colors, type and measures of the web page (`studio/components/tokens.css` and `studio/serve-page/page.css`). */
const STYLE = `
:root{color-scheme:light dark;--paper:#f6f3ec;--ink:#1d2226;--soft:#5b564c;--line:#ded6c6;--brass:#7a5c2e}
@media (prefers-color-scheme:dark){:root{--paper:#17181a;--ink:#f0ece3;--soft:#aca594;--line:#35342f;--brass:#d0ad72}}
*{box-sizing:border-box}
body{margin:0;padding:0 24px;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:1032px;margin:0 auto}
header{padding-top:56px}
h1,h2,h3{font-family:"EB Garamond",Garamond,Georgia,serif;font-weight:400;line-height:1.15}
h1{font-size:clamp(2rem,5vw,2.75rem);margin:4px 0 8px}
h2{font-size:1.5rem;margin:0 0 16px}
h3{font-size:1.25rem;margin:32px 0 8px}
.eyebrow{margin:0;color:var(--brass);font-variant-numeric:tabular-nums}
.lede{color:var(--soft);margin:0}
section,footer{border-top:1px solid var(--line);padding:32px 0;margin-top:32px}
.media{display:grid;grid-template-columns:minmax(0,2.6fr) minmax(0,1fr);gap:24px;align-items:start}
.tall .media{grid-template-columns:minmax(0,340px) minmax(0,200px)}
.media figure:only-child{grid-column:1/-1;max-width:860px}
.tall .media figure:only-child{grid-column:auto}
figure{margin:0;min-width:0}
video,.preview img{width:100%;height:auto;display:block;background:#000}
figcaption{color:var(--soft);font-size:.9rem;padding-top:8px}
a{color:inherit;text-underline-offset:3px;text-decoration-thickness:1px}
a:focus-visible,video:focus-visible{outline:3px solid var(--brass);outline-offset:2px}
.scenes{list-style:none;margin:24px 0 0;padding:0;display:grid;gap:20px 16px;grid-template-columns:repeat(auto-fill,minmax(min(180px,100%),1fr))}
.tall .scenes{grid-template-columns:repeat(auto-fill,minmax(min(120px,100%),1fr))}
.scenes li{min-width:0}
.scenes img,.blank{width:100%;height:auto;display:block;background:var(--line)}
.blank{aspect-ratio:16/9}
.scenes p{margin:6px 0 0;font-size:.9rem}
.scenes b{font-weight:400;color:var(--brass);font-variant-numeric:tabular-nums}
.scenes .words{margin-top:0;color:var(--soft);display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.altered{list-style:none;margin:8px 0 0;padding:0;display:grid;gap:24px 16px;grid-template-columns:repeat(auto-fill,minmax(min(480px,100%),1fr))}
.altered img{width:calc(50% - 4px);height:auto;display:inline-block;vertical-align:top}
.altered img+img{margin-left:8px}
.altered p{margin:6px 0 0;font-size:.9rem;font-variant-numeric:tabular-nums}
.altered b{font-weight:400;color:var(--brass)}
.altered .address{margin-top:0;color:var(--soft)}
.fits{margin:16px 0 0;font-size:.9rem}
.sound{margin:24px 0 0;color:var(--soft);font-size:.9rem}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{text-align:left;padding:8px 24px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:400;color:var(--soft)}
td:last-child,th:last-child{padding-right:0}
.url{width:50%}
dl{margin:0}
.facts div,.timings div{display:grid;grid-template-columns:minmax(0,140px) minmax(0,1fr);gap:0 16px;padding:4px 0}
dt{color:var(--soft)}dd{margin:0;font-variant-numeric:tabular-nums}
.timings dd{display:flex;align-items:center;gap:16px;white-space:nowrap}
.bar{flex:0 1 320px;height:6px;border-radius:3px;background:var(--line);overflow:hidden}
.bar span{display:block;height:100%;background:var(--brass)}
.timings .total{border-top:1px solid var(--line);margin-top:4px;padding-top:8px}
.notes{margin:0;padding-left:20px}
footer{color:var(--soft);font-size:.9rem;padding:24px 0 48px}
code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
@media (max-width:720px){body{padding:0 16px}header{padding-top:32px}.media,.tall .media{grid-template-columns:minmax(0,1fr)}}
@media (max-width:480px){
.facts div{grid-template-columns:minmax(0,1fr)}
.timings div{grid-template-columns:minmax(0,92px) minmax(0,1fr)}
.timings dd{justify-content:space-between}
.scenes,.tall .scenes{grid-template-columns:repeat(2,minmax(0,1fr))}
table,tbody,tr,td{display:block}thead{display:none}.url{width:auto}
td{padding:0;border:0}tr{padding:8px 0;border-bottom:1px solid var(--line)}td+td{color:var(--soft)}
}
@media print{section{break-inside:avoid}}
`;
