/** Patches of the photos of a listing. Captions of one agent, `caption_NN`, go with their photo. Pure. */
import { captionLayer } from '../../../listing/words/caption-layer.ts';
import type { ListingPath, PatchOperation } from '../../editor/protocol.ts';
import { toPointer, valueAt } from '../../page/apply-patch.ts';

type Listing = Readonly<Record<string, unknown>>;

/** The listing's photos; empty when they are no list. */
export function assetsOf(listing: Listing): readonly Readonly<Record<string, unknown>>[] {
  const { assets } = listing;
  if (!Array.isArray(assets)) return [];
  return assets.map((asset) => (typeof asset === 'object' && asset !== null ? asset : {}));
}

/** Moves a photo to another place. */
export function movePhoto(listing: Listing, from: number, to: number): PatchOperation[] {
  const order = assetsOf(listing).map((_, index) => index);
  const [moved] = order.splice(from, 1);
  if (moved === undefined || from === to) return [];
  order.splice(to, 0, moved);
  return [
    { op: 'move', from: `/assets/${from}`, path: `/assets/${to}` },
    ...renumberCaptions(listing, order),
  ];
}

/** Removes a photo from the video. The studio keeps it aside. */
export function leaveOut(listing: Listing, index: number): PatchOperation[] {
  const order = assetsOf(listing).flatMap((_, each) => (each === index ? [] : [each]));
  return [{ op: 'remove', path: `/assets/${index}` }, ...renumberCaptions(listing, order)];
}

/** Adds photos at the end. */
export function addPhotos(listing: Listing, assets: readonly object[]): PatchOperation[] {
  const add = assets.map((value): PatchOperation => ({ op: 'add', path: '/assets/-', value }));
  return Array.isArray(listing.assets) ? add : [{ op: 'add', path: '/assets', value: assets }];
}

/** Where a photo has its caption in the version of an agent: in the data of that agent, or else with the photo. */
export function captionPath(listing: Listing, index: number, agent: number): ListingPath {
  const own = ['agents', agent, 'video_options', 'template_data', captionLayer(index)] as const;
  const text = valueAt(listing, own);
  return typeof text === 'string' && text !== '' ? own : ['assets', index, 'caption'];
}

/** Sets or removes a caption. */
export function setCaption(listing: Listing, path: ListingPath, text: string): PatchOperation[] {
  if (text !== '') return [{ op: 'add', path: toPointer(path), value: text }];
  return valueAt(listing, path) === undefined ? [] : [{ op: 'remove', path: toPointer(path) }];
}

/** @param order - For each new place the old one. */
function renumberCaptions(listing: Listing, order: readonly number[]): PatchOperation[] {
  const agents = Array.isArray(listing.agents) ? listing.agents : [];
  return agents.flatMap((_, agent): PatchOperation[] => {
    const path = ['agents', agent, 'video_options', 'template_data'];
    const data = valueAt(listing, path);
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
    const old = data as Record<string, unknown>;
    const rest = Object.entries(old).filter(([name]) => !/^caption_\d+$/.test(name));
    const kept = order.flatMap((from, to) => {
      const text = old[captionLayer(from)];
      return text === undefined ? [] : [[captionLayer(to), text] as const];
    });
    const next = Object.fromEntries([...kept, ...rest]);
    return JSON.stringify(sorted(next)) === JSON.stringify(sorted(old))
      ? []
      : [{ op: 'replace', path: toPointer(path), value: next }];
  });
}

function sorted(object: Record<string, unknown>): [string, unknown][] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}
