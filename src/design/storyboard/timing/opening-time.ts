/** How long an opening lasts so that its words can be read. Pure. */
import type { RatioDesign } from '../../template/template.ts';
import { plain } from '../elements/text-element.ts';
import type { Texts } from '../texts.ts';
import { readingSec } from './reading-time.ts';

/** Until the last line of most openings has come. */
const ARRIVAL_SEC = 1;
/** Longer than for its longest line, and people have seen enough of one photo. */
const MAX_HOLD_SEC = 3.5;
/** Price and facts are not counted: a scene of their own shows them again. */
const READ = ['status', 'headline', 'street', 'city', 'open_house_line'];

/** The design with an opening that suits its words; the same object where it does already, and for the same time. */
export function withOpeningTime(design: RatioDesign, texts: Texts): RatioDesign {
  const lines = READ.map((name) => plain(texts[name] ?? ''));
  const longest = Math.max(...lines.map(readingSec));
  const heroSec = ARRIVAL_SEC + Math.max(longest, Math.min(MAX_HOLD_SEC, readingSec(lines.join(' '))));
  if (heroSec <= design.pacing.heroSec) return design;
  const timed = longer.get(design) ?? new Map<number, RatioDesign>();
  const known = timed.get(heroSec) ?? { ...design, pacing: { ...design.pacing, heroSec } };
  longer.set(design, timed.set(heroSec, known));
  return known;
}

/** Plans are kept by their design. */
const longer = new WeakMap<RatioDesign, Map<number, RatioDesign>>();
