/** Leaves captions of assets out of a body: without the beta `asset-captions` they are unknown properties. Pure. */

/** The same value, its assets without `caption`; nothing else is copied or checked. */
export function ignoreCaptions(body: unknown): unknown {
  const assets = (body as { readonly assets?: unknown } | null | undefined)?.assets;
  if (!Array.isArray(assets)) return body;
  return { ...(body as object), assets: assets.map(withoutCaption) };
}

function withoutCaption(asset: unknown): unknown {
  if (typeof asset !== 'object' || asset === null || !Object.hasOwn(asset, 'caption')) return asset;
  const { caption: _, ...rest } = asset as { readonly caption?: unknown };
  return rest;
}
