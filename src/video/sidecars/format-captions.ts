/** The words of a video as WebVTT cues: what is on screen, for those who cannot see it. Scenes that say the same share one. Pure. */
import { describeStoryboard } from '../../design/storyboard/describe-storyboard.ts';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import { toLine } from './to-line.ts';

/** @returns A WebVTT file (https://www.w3.org/TR/webvtt1/); its cues end where the next scene begins. */
export function formatCaptions(storyboard: Storyboard): string {
  const cues: { readonly startSec: number; endSec: number; readonly words: string }[] = [];
  for (const { startSec, endSec, texts } of describeStoryboard(storyboard)) {
    const shown = texts.map(toCueText).filter((text) => text !== '');
    const words = [...new Set(joinNumbers(shown))].join('\n');
    const last = cues.at(-1);
    if (last && last.words === words) last.endSec = endSec;
    else cues.push({ startSec, endSec, words });
  }
  const said = cues.filter(({ words }) => words !== '');
  return [
    'WEBVTT\n',
    ...said.map(({ startSec, endSec, words }) => `${toTime(startSec)} --> ${toTime(endSec)}\n${words}\n`),
  ].join('\n');
}

/** A number and its label stand apart on screen: `4`, `bedrooms`. */
function joinNumbers(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let number = '';
  for (const line of lines) {
    if (number !== '') joined.push(`${number} ${line}`);
    else if (!IS_NUMBER.test(line)) joined.push(line);
    number = number === '' && IS_NUMBER.test(line) ? line : '';
  }
  return number === '' ? joined : [...joined, number];
}

const IS_NUMBER = /^[\d.,]+$/;

/** One line without markup: a blank line would end the cue, and `-->` is not allowed in one. */
function toCueText(text: string): string {
  return toLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `00:01:04.500` */
function toTime(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const parts = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${String(ms % 1000).padStart(3, '0')}`;
}
