/** How a sentence names a photo of the listing: by its number and its file. Pure. */

const MAX_NAME = 60;

/** @param index - Of the asset, from 0. @returns As in `4 (kitchen.jpg)`; the number alone without a file name. */
export function photoName(index: number, url: string): string {
  const name = photoFile(url);
  return name === '' ? String(index + 1) : `${index + 1} (${[...name].slice(0, MAX_NAME).join('')})`;
}

/** The end of a URL or path, without query; empty where there is none. */
export function photoFile(url: string): string {
  return (
    url
      .replace(/[?#].*$/su, '')
      .split(/[/\\]/u)
      .at(-1) ?? ''
  );
}

/** As in `4 (kitchen.jpg) and 7 (bath.jpg)`. */
export function photoNames(photos: readonly { readonly number: number; readonly url: string }[]): string {
  return new Intl.ListFormat('en').format(photos.map(({ number, url }) => photoName(number - 1, url)));
}

/** As in `2 to 6, 9 and 13 to 30`. @param photos - In the order of their numbers. */
export function photoNumbers(photos: readonly { readonly number: number }[]): string {
  const runs: [first: number, last: number][] = [];
  for (const { number } of photos) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const words = runs.flatMap(([first, last]) =>
    last - first > 1 ? `${first} to ${last}` : [...new Set([first, last])].map(String),
  );
  return new Intl.ListFormat('en').format(words);
}

/** The words of a file's name, as {@link toWords} has them. */
export function fileWords(url: string): string {
  const name = photoFile(url).replace(/\.[a-z]{3,4}$/iu, '');
  try {
    return toWords(decodeURIComponent(name));
  } catch {
    return toWords(name);
  }
}

/** In words of letters, digits apart, with single spaces around each: `FloorPlan_2nd.v3` is ` floor plan 2 nd v 3 `. */
export function toWords(text: string): string {
  const words = text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/\p{L}+|\d+/gu);
  return ` ${(words ?? []).join(' ')} `;
}
