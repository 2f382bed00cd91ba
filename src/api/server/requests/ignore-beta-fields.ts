/** Leaves out of a body the fields of assets whose betas are off: without them they are unknown properties. Pure. */
import { ASSET_FIELD_BETAS } from '../../asset-field-betas.ts';

/** The same value, its assets without those fields; nothing else is copied or checked. */
export function ignoreBetaFields(body: unknown, betas: ReadonlySet<string>): unknown {
  const assets = (body as { readonly assets?: unknown } | null | undefined)?.assets;
  if (!Array.isArray(assets)) return body;
  const ignored = new Set<string>();
  for (const [field, beta] of Object.entries(ASSET_FIELD_BETAS)) if (!betas.has(beta)) ignored.add(field);
  return ignored.size === 0
    ? body
    : { ...(body as object), assets: assets.map((asset) => without(asset, ignored)) };
}

function without(asset: unknown, ignored: ReadonlySet<string>): unknown {
  if (typeof asset !== 'object' || asset === null || Array.isArray(asset)) return asset;
  const entries = Object.entries(asset);
  const kept = entries.filter(([field]) => !ignored.has(field));
  return kept.length === entries.length ? asset : Object.fromEntries(kept);
}
