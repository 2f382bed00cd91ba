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
