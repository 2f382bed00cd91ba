/** The place of a value in a listing as text. Pure. */
import type { Loc } from './violation.ts';

/** `agents[0].video_options.ratio` of a `loc`; empty for the whole listing. */
export function locWords(loc: Loc): string {
  return loc
    .slice(1)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}
