/** Template data of a video without branding: an agent's data about the house. Pure. */
import { FACT_LABELS, FACT_LAYERS } from '../../listing/words/facts.ts';

/** Of an extra video without branding: some MLSs forbid open houses and links in it. */
export const USUALLY_KEPT = ['price', 'status'] as const;

/** Layers about the house besides those of its facts; colors, music and logo belong to the brand. */
const OF_THE_HOUSE =
  /^(?:headline|status|open_house|label_open_house|link|show_facts|pace|length|grade|disclosure|originals_url|video_title|video_description|caption_\d{2,3})$/;
const OF_FACTS = new Set([...FACT_LAYERS, ...FACT_LABELS].map(({ name }) => name));

/** The storyboard checks what these texts say. */
export function toNeutralData(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(data).filter(([layer]) => OF_THE_HOUSE.test(layer) || OF_FACTS.has(layer)),
  );
}
