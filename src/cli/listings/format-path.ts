/** The place of a value in a listing, for people. */
import { escapeText } from '../terminal/escape-text.ts';

/** `agents[0].video_options.ratio`; the body itself is `(listing)`. Keys that are not plain words are quoted. */
export function formatPath(loc: readonly (string | number)[]): string {
  const steps = loc[0] === 'body' ? loc.slice(1) : loc;
  let path = '';
  for (const step of steps) {
    if (typeof step === 'number') path += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) path += path === '' ? step : `.${step}`;
    else path += `[${escapeText(JSON.stringify(step))}]`;
  }
  return path === '' ? '(listing)' : path;
}
