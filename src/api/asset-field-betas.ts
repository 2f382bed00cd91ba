/** The fields of an asset that a server reads only with a beta. Pure. */
import type { Asset } from '../listing/listing.ts';
import type { Beta } from './server/requests/beta.ts';

export const ASSET_FIELD_BETAS = {
  caption: 'asset-captions',
  altered: 'altered-photos',
  original: 'altered-photos',
  kind: 'photo-controls',
  focus: 'photo-controls',
  emphasis: 'photo-controls',
} as const satisfies Record<Exclude<keyof Asset, 'url' | 'type'>, Beta>;

/** The betas that these assets need, each once. */
export function betasOfAssets(assets: readonly Asset[]): Beta[] {
  const fields = Object.keys(ASSET_FIELD_BETAS) as (keyof typeof ASSET_FIELD_BETAS)[];
  const used = fields.filter((field) => assets.some((asset) => asset[field] !== undefined));
  return [...new Set(used.map((field) => ASSET_FIELD_BETAS[field]))];
}
