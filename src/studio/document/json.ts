/** Values of JSON: paths, pointers (RFC 6901), patches (RFC 6902) and equality. Pure; browsers load this file too. */
import { applyPatch as applyInPlace, type Operation } from 'rfc6902';
import type { ListingPath, PatchOperation } from '../editor/protocol.ts';

/** The root of a listing file, or an object in it. It can break every rule. */
export type ListingObject = Readonly<Record<string, unknown>>;

/**
 * The value after the operations; the value itself does not change.
 *
 * @throws Error when one does not apply.
 */
export function applyPatch<T>(value: T, patch: readonly PatchOperation[]): T {
  const copy = { root: structuredClone(value) };
  for (const operation of patch) applyOperation(copy, operation);
  return copy.root;
}

/**
 * Changes `holder.root`. The root is inside an object, so that a pointer can name it too.
 *
 * @throws Error when it does not apply.
 */
export function applyOperation(holder: { root: unknown }, operation: PatchOperation): void {
  const inside = {
    ...operation,
    path: `/root${operation.path}`,
    ...('from' in operation && { from: `/root${operation.from}` }),
  };
  const [fault] = applyInPlace(holder, [inside as Operation]);
  if (fault) throw fault;
}

export function toPointer(path: ListingPath): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Keys of a JSON pointer, such as `['assets', '3', 'caption']`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The path of a pointer to a value of a listing, none of whose objects has a number as its key. */
export function toPath(pointer: string): ListingPath {
  return pointerSteps(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

/** The value at the path; undefined when there is none. */
export function valueAt(value: unknown, path: ListingPath): unknown {
  return path.reduce<unknown>(
    (holder, key) => (isHolder(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined),
    value,
  );
}

/** Equal as JSON, whatever the order of the keys. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isHolder(one) || !isHolder(other)) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

export function isObject(value: unknown): value is ListingObject {
  return isHolder(value) && !Array.isArray(value);
}

/** An item of `listing.assets` that names a photo. */
export type ListedPhoto = ListingObject & { readonly url: string };

export function photosOf({ assets }: ListingObject): ListedPhoto[] {
  return Array.isArray(assets) ? assets.filter(isListedPhoto) : [];
}

/** The files of these photos and of their originals. */
export function photoFiles(photos: readonly ListedPhoto[]): string[] {
  return photos.flatMap(({ url, original }) => (typeof original === 'string' ? [url, original] : [url]));
}

/** Those of `known` that are neither in the listing nor an original, there or of another of them. */
export function leftOutBy(listing: ListingObject, known: readonly ListedPhoto[]): ListedPhoto[] {
  const used = new Set(photoFiles(photosOf(listing)));
  const unused = known.filter(({ url }) => !used.has(url));
  const originals = new Set(unused.map(({ original }) => original));
  return unused.filter(({ url }) => !originals.has(url));
}

export function isListedPhoto(asset: unknown): asset is ListedPhoto {
  return isObject(asset) && typeof asset.url === 'string';
}

function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
