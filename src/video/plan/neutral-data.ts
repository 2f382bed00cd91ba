/** Template data of a video without branding: an agent's data about the house, without names. Pure. */
import type { Listing } from '../../listing/listing.ts';
import { FACT_LABELS, FACT_LAYERS } from '../../listing/words/facts.ts';

export interface NeutralData {
  readonly data: Readonly<Record<string, string>>;
  /** Sentences for the report. */
  readonly warnings: readonly string[];
}

/** Layers about the house besides those of its facts; colors, music, logo and links belong to the brand. */
const OF_THE_HOUSE =
  /^(?:headline|status|open_house|label_open_house|show_facts|pace|grade|disclosure|caption_\d{2,3})$/;
const OF_FACTS = new Set([...FACT_LAYERS, ...FACT_LABELS].map(({ name }) => name));

/**
 * Leaves out texts that name an agent or an office of the listing. The template itself refuses phone numbers and
 * addresses.
 */
export function toNeutralData(data: Readonly<Record<string, string>>, listing: Listing): NeutralData {
  const names = brandNames(listing);
  const kept: Record<string, string> = {};
  const warnings: string[] = [];
  for (const [layer, value] of Object.entries(data)) {
    if (!OF_THE_HOUSE.test(layer) && !OF_FACTS.has(layer)) continue;
    const text = plain(value);
    if (names.some((name) => text.includes(name))) {
      warnings.push(
        `template data "${layer}" names an agent or an office; the unbranded video leaves it out`,
      );
    } else {
      kept[layer] = value;
    }
  }
  return { data: kept, warnings };
}

/** The listing without captions that name an agent or an office of it. */
export function toNeutralListing(listing: Listing): { listing: Listing; warnings: string[] } {
  const names = brandNames(listing);
  const warnings: string[] = [];
  const assets = listing.assets.map((asset, index) => {
    const text = plain(asset.caption ?? '');
    if (!names.some((name) => text.includes(name))) return asset;
    warnings.push(
      `the caption of photo ${index + 1} names an agent or an office; the unbranded video leaves it out`,
    );
    const { caption: _, ...rest } = asset;
    return rest;
  });
  return { listing: { ...listing, assets }, warnings };
}

function brandNames({ agents }: Listing): string[] {
  const names = agents.flatMap(({ first_name, last_name, offices = [] }) => [
    `${first_name} ${last_name}`,
    `${last_name}, ${first_name}`,
    ...offices.map(({ name }) => name ?? ''),
  ]);
  return names.map(plain).filter((name) => name.length > 1);
}

/** Makes different spellings of a name equal. */
function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
