/** Patches of the photos of a listing. Captions of one agent, `caption_NN`, go with their photo. Pure. */
import type { Focus } from '../../../listing/listing.ts';
import { captionLayer } from '../../../listing/words/caption-layer.ts';
import { isObject, isSame, type ListingObject, toPointer, valueAt } from '../../document/json.ts';
import type { ListingPath, PatchOperation } from '../../editor/protocol.ts';

/** Photos of the example listing of `serve`: they give way to those of the person. */
const EXAMPLE = /^https:\/\/example\.com\/photos\/|\/page\/example\//;

/** The items of `assets`, whatever they are; empty when they are no list. */
export function assetsOf({ assets }: ListingObject): readonly ListingObject[] {
  return Array.isArray(assets) ? assets.map((asset) => (isObject(asset) ? asset : {})) : [];
}

export function movePhoto(listing: ListingObject, from: number, to: number): PatchOperation[] {
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
export function leaveOut(listing: ListingObject, index: number): PatchOperation[] {
  const order = assetsOf(listing).flatMap((_, each) => (each === index ? [] : [each]));
  return [{ op: 'remove', path: `/assets/${index}` }, ...renumberCaptions(listing, order)];
}

export function addPhotos(listing: ListingObject, assets: readonly object[]): PatchOperation[] {
  const order = assetsOf(listing).flatMap(({ url }, index) => (EXAMPLE.test(String(url)) ? [] : [index]));
  if (!Array.isArray(listing.assets) || order.length < listing.assets.length) {
    const kept = order.map((index) => (listing.assets as unknown[])[index]);
    const value = [...kept, ...assets];
    return [{ op: 'add', path: '/assets', value }, ...renumberCaptions(listing, order)];
  }
  return assets.map((value) => ({ op: 'add', path: '/assets/-', value }));
}

/** Where a photo has its caption in the version of an agent: in the data of that agent, or else with the photo. */
export function captionPath(listing: ListingObject, index: number, agent: number): ListingPath {
  const own = ['agents', agent, 'video_options', 'template_data', captionLayer(index)] as const;
  const text = valueAt(listing, own);
  return typeof text === 'string' && text !== '' ? own : ['assets', index, 'caption'];
}

export function setCaption(listing: ListingObject, path: ListingPath, text: string): PatchOperation[] {
  if (text !== '') return [{ op: 'add', path: toPointer(path), value: text }];
  return valueAt(listing, path) === undefined ? [] : [{ op: 'remove', path: toPointer(path) }];
}

/** Says what was changed in a photo; null: nothing, so it has no original either. */
export function setAltered(
  listing: ListingObject,
  index: number,
  altered: string | true | null,
): PatchOperation[] {
  if (altered !== null) return [{ op: 'add', path: `/assets/${index}/altered`, value: altered }];
  return ['altered', 'original']
    .filter((field) => valueAt(listing, ['assets', index, field]) !== undefined)
    .map((field) => ({ op: 'remove', path: `/assets/${index}/${field}` }));
}

/** A photo of the listing that becomes an original is not shown for itself any more. */
export function setOriginal(listing: ListingObject, index: number, url: string): PatchOperation[] {
  const listed = assetsOf(listing).findIndex((asset, place) => place !== index && asset.url === url);
  const patch: PatchOperation = { op: 'add', path: `/assets/${index}/original`, value: url };
  return listed < 0 ? [patch] : [patch, ...leaveOut(listing, listed)];
}

/** The point that a photo keeps in view; null: it is guessed, or what the listing has is no point. */
export function focusOf(listing: ListingObject, index: number): Focus | null {
  const focus = valueAt(listing, ['assets', index, 'focus']);
  if (!isObject(focus)) return null;
  const { x, y } = focus;
  return isShare(x) && isShare(y) ? { x, y } : null;
}

/** Numbers of their own, so that several steps of a key are one step of undo. Null: back to the guess. */
export function setFocus(listing: ListingObject, index: number, focus: Focus | null): PatchOperation[] {
  const path = `/assets/${index}/focus`;
  const before = valueAt(listing, ['assets', index, 'focus']);
  if (focus === null) return before === undefined ? [] : [{ op: 'remove', path }];
  const holder: PatchOperation[] = isObject(before) ? [] : [{ op: 'add', path, value: {} }];
  const to = { x: toHundredths(focus.x), y: toHundredths(focus.y) };
  return [
    ...holder,
    { op: 'add', path: `${path}/x`, value: to.x },
    { op: 'add', path: `${path}/y`, value: to.y },
  ];
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function toHundredths(share: number): number {
  return Math.round(100 * Math.min(1, Math.max(0, share))) / 100;
}

/** @param order - For each new place the old one. */
function renumberCaptions(listing: ListingObject, order: readonly number[]): PatchOperation[] {
  const agents = Array.isArray(listing.agents) ? listing.agents : [];
  return agents.flatMap((_, agent): PatchOperation[] => {
    const path = ['agents', agent, 'video_options', 'template_data'];
    const data = valueAt(listing, path);
    if (!isObject(data)) return [];
    const rest = Object.entries(data).filter(([name]) => !/^caption_\d+$/.test(name));
    const kept = order.flatMap((from, to) => {
      const text = data[captionLayer(from)];
      return text === undefined ? [] : [[captionLayer(to), text] as const];
    });
    const next = Object.fromEntries([...kept, ...rest]);
    return isSame(next, data) ? [] : [{ op: 'replace', path: toPointer(path), value: next }];
  });
}
