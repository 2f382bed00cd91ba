/** The HTML that puts a video on a web page. Pure. */
import type { ReportEntry } from '../report.ts';
import { escapeHtml } from './escape-html.ts';

/** As wide as a page is on most tablets: a screen that is wider gets the large file. */
const SMALL_UP_TO_PX = 900;
const TALL_PX = 400;

/** @param title - The house, in words. @returns A `<video>` that finds its files beside the page. */
export function toWebSnippet(video: ReportEntry, title: string): string {
  const [ratioWidth, ratioHeight] = video.ratio.split(':').map(Number) as [number, number];
  const { width_px: width = ratioWidth, height_px: height = ratioHeight } = video;
  const src = (file: { readonly file: string }) => escapeHtml(encodeURIComponent(file.file));
  const { poster, small_video: small, captions } = video;
  const limit = height > width ? ` max-width: ${TALL_PX}px;` : '';
  const label = escapeHtml(title);
  return [
    `<video controls playsinline preload="none"${poster ? ` poster="${src(poster)}"` : ''} width="${width}" height="${height}"`,
    `  style="width: 100%;${limit} height: auto" aria-label="Video of ${label}">`,
    ...(small
      ? [`  <source src="${src(small)}" type="video/mp4" media="(max-width: ${SMALL_UP_TO_PX}px)">`]
      : []),
    `  <source src="${src(video.video)}" type="video/mp4">`,
    ...(captions
      ? [`  <track kind="captions" src="${src(captions)}" srclang="en" label="Words on screen">`]
      : []),
    `  <a href="${src(video.video)}">Watch the video of ${label}</a>`,
    '</video>',
  ].join('\n');
}

/** Names of the files that the HTML needs beside the page. */
export function webFiles({ video, small_video: small, poster, captions }: ReportEntry): string[] {
  return [video, small, poster, captions].flatMap((file) => (file ? [file.file] : []));
}
