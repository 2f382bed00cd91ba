/** The parts of a listing that a server reads only with a beta. Pure. */
import type { Asset, Listing } from '../listing/listing.ts';
import type { Beta } from './server/requests/beta.ts';

export const ASSET_FIELD_BETAS = {
  caption: 'asset-captions',
  altered: 'altered-photos',
  original: 'altered-photos',
  kind: 'photo-controls',
  focus: 'photo-controls',
  emphasis: 'photo-controls',
} as const satisfies Record<Exclude<keyof Asset, 'url' | 'type'>, Beta>;

/** By data layer. */
export const DATA_BETAS = { length: 'photo-controls' } as const satisfies Record<string, Beta>;

/** The betas that the listing needs, each once. */
export function betasOfListing({ assets, agents }: Listing): Beta[] {
  const fields = Object.keys(ASSET_FIELD_BETAS) as (keyof typeof ASSET_FIELD_BETAS)[];
  const used = fields.filter((field) => assets.some((asset) => asset[field] !== undefined));
  const layers = Object.keys(DATA_BETAS) as (keyof typeof DATA_BETAS)[];
  const filled = layers.filter((layer) =>
    agents.some(({ video_options: options }) => options?.template_data?.[layer] !== undefined),
  );
  return [
    ...new Set([
      ...used.map((field) => ASSET_FIELD_BETAS[field]),
      ...filled.map((layer) => DATA_BETAS[layer]),
    ]),
  ];
}
