/** The texts of a video in report.html, to copy where it is uploaded. Pure. */
import type { ReportEntry } from '../report.ts';
import { escapeHtml, fileHref } from './escape-html.ts';
import type { BesideTexts } from './read-texts.ts';
import { toWebSnippet, webFiles } from './web-snippet.ts';

/** The captions of the player: the file beside the page, which the script replaces by the text in the page. */
export function toTrack({ video, captions }: ReportEntry, texts: BesideTexts): string {
  if (!captions) return '';
  const from = texts.has(captions.file) ? ` data-from="${idOf(video.file, 'captions')}"` : '';
  return `<track kind="captions" src="${fileHref(captions.file)}" srclang="en" label="Words on screen"${from}>`;
}

interface UploadText {
  readonly id: string;
  /** As the text is named; its button says `Copy` and this. */
  readonly name: string;
  readonly text: string;
  readonly isCode?: boolean;
  /** Markup above the text. */
  readonly about?: string;
  /** Only for those who look at it. */
  readonly hasNoButton?: boolean;
}

/** @param title - The house, in words. */
export function toTextsOf(video: ReportEntry, texts: BesideTexts, title: string): string {
  const found = listTexts(video, texts, title);
  const buttons = found
    .filter(({ hasNoButton }) => !hasNoButton)
    .map(
      ({ id, name }) =>
        `<button type="button" data-copy="${id}" data-copied="${upperFirst(name)} copied.">Copy ${name}</button>`,
    );
  const blocks = found.map(
    ({ id, name, text, isCode, about = '' }) =>
      `<h3>${upperFirst(name)}</h3>\n${about}<pre id="${id}"${isCode ? ' class="code"' : ''}>${escapeHtml(text)}</pre>`,
  );
  return `<div class="texts">
<div class="copies" hidden>${buttons.join('\n')}<span role="status"></span></div>
<details><summary>Show the texts for an upload</summary>
${blocks.join('\n')}
</details>
</div>
`;
}

function listTexts(video: ReportEntry, texts: BesideTexts, title: string): UploadText[] {
  const id = (kind: string): string => idOf(video.video.file, kind);
  const found: UploadText[] = [];
  const words = video.description && texts.get(video.description.file);
  if (words !== undefined) {
    const [first = '', ...rest] = words.split(/\r?\n/);
    const text = rest.join('\n').trim();
    found.push({ id: id('title'), name: 'title', text: first });
    if (text !== '') found.push({ id: id('description'), name: 'description', text });
  }
  const files = webFiles(video).map((name) => `<code>${escapeHtml(name)}</code>`);
  found.push({
    id: id('html'),
    name: 'HTML for a web page',
    text: toWebSnippet(video, title),
    isCode: true,
    about: `<p>Upload ${joinWords(files)} to the folder of your page, and paste this into the page. <code>listing-video help web</code> says more.</p>\n`,
  });
  const cues = video.captions && texts.get(video.captions.file);
  if (cues !== undefined)
    found.push({ id: id('captions'), name: 'captions', text: cues, isCode: true, hasNoButton: true });
  return found;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function upperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of one file of the page, whatever is in its name. */
function idOf(file: string, kind: string): string {
  return `${kind}-${Buffer.from(file).toString('hex')}`;
}
