/** Reads and changes a listing that is edited as text. What is not asked for keeps its place and, where it can, its form. Pure. */
import { locateSpan } from '../../../../listing/json/json-places.ts';

/** Keys and indexes from the listing down. */
export type Path = readonly (string | number)[];
type Holder = Record<string | number, unknown>;

/** The order of a new listing's fields. */
const FIRST_FIELDS = [
  'id',
  'address',
  'bedrooms',
  'bathrooms',
  'half_bathrooms',
  'interior_square_footage',
  'assets',
  'agents',
];
const MAX_LINE = 100;

/** The listing; an empty one for a text without a character; null for what is no JSON object. */
export function readListing(text: string): Readonly<Record<string, unknown>> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The value at a path; undefined when there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, step) => (isHolder(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined),
    value,
  );
}

/**
 * The text with another value at the path. Holders that are missing are made; those of another kind are left alone.
 *
 * @param value - Undefined removes the property, and the object that it leaves empty.
 * @returns The text as it was when it is no JSON object.
 */
export function withValue(text: string, path: Path, value: unknown): string {
  const listing = readListing(text);
  if (listing === null || valueAt(listing, path) === value) return text;
  const span =
    value !== undefined && valueAt(listing, path) !== undefined ? locateSpan(text, ['body', ...path]) : null;
  if (span !== null) {
    const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', span.start) + 1))?.[0] ?? '';
    return text.slice(0, span.start) + format(value, indent) + text.slice(span.end);
  }
  const copy = structuredClone(listing) as Record<string, unknown>;
  if (value === undefined) removeAt(copy, path);
  else addAt(copy, path, value);
  const rank = (name: string) =>
    (FIRST_FIELDS.indexOf(name) + FIRST_FIELDS.length) % (FIRST_FIELDS.length + 1);
  const fields = Object.entries(copy);
  return format(
    Object.fromEntries(isNew(listing) ? fields.sort(([a], [b]) => rank(a) - rank(b)) : fields),
    '',
  );
}

/** The URLs of the listing's photos; none when it is no JSON object. */
export function assetUrls(text: string): readonly string[] {
  return readAssets(text)
    .map(urlOf)
    .filter((url) => url !== null);
}

/**
 * The text with the photos of `urls` in this order, each added if it is missing. Other assets keep their places, so that `urls`
 * fill the places that some of them have and then the end. The addresses of the example give way to them.
 */
export function withPhotos(
  text: string,
  urls: readonly string[],
  isExample: (url: string) => boolean,
): string {
  const assets = readAssets(text).filter((asset) => !isExample(urlOf(asset) ?? ''));
  const own = new Map(assets.map((asset) => [urlOf(asset), asset]));
  const left = urls.map((url) => own.get(url) ?? { url });
  const placed = assets.map((asset) => (urls.includes(urlOf(asset) ?? '') ? left.shift() : asset));
  return withValue(text, ['assets'], [...placed, ...left]);
}

/** The text without this photo. */
export function withoutPhoto(text: string, url: string): string {
  const assets = readAssets(text);
  const kept = assets.filter((asset) => urlOf(asset) !== url);
  return kept.length === assets.length ? text : withValue(text, ['assets'], kept);
}

function readAssets(text: string): readonly unknown[] {
  const assets = valueAt(readListing(text), ['assets']);
  return Array.isArray(assets) ? assets : [];
}

function urlOf(asset: unknown): string | null {
  const url = valueAt(asset, ['url']);
  return typeof url === 'string' ? url : null;
}

/** Only the fields that this page writes: their order is ours. */
function isNew(listing: object): boolean {
  return Object.keys(listing).every((name) => ['id', 'address', 'assets', 'agents'].includes(name));
}

function addAt(root: Holder, path: Path, value: unknown): void {
  let holder: unknown = root;
  for (const [index, step] of path.entries()) {
    if (!isHolder(holder)) return;
    if (index === path.length - 1) holder[step] = value;
    else holder[step] ??= typeof path[index + 1] === 'number' ? [] : {};
    holder = holder[step];
  }
}

function removeAt(root: Holder, path: Path): void {
  const holder = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (!isHolder(holder) || Array.isArray(holder) || last === undefined) return;
  delete holder[last];
  if (Object.keys(holder).length === 0 && path.length > 1) removeAt(root, path.slice(0, -1));
}

/** As `JSON.stringify` with two spaces, but what fits in a line and has no object inside stays on one. */
function format(value: unknown, indent: string): string {
  if (!isHolder(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const entries = Object.entries(value);
  if (entries.length === 0) return `${open}${close}`;
  const toText = (inner: string) =>
    entries.map(([name, item]) => (isList ? '' : `${JSON.stringify(name)}: `) + format(item, inner));
  const line = entries.some(([, item]) => isHolder(item)) ? null : toText('').join(', ');
  if (line !== null && line.length < MAX_LINE) return isList ? `[${line}]` : `{ ${line} }`;
  const inner = `${indent}  `;
  return `${open}\n${inner}${toText(inner).join(`,\n${inner}`)}\n${indent}${close}`;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}
