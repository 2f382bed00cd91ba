/** Photos as sentences name them. Pure. */

const MAX_NAME = 60;

/** Their numbers and the ends of their addresses, as in `4 (kitchen.jpg) and 7 (bath.jpg)`. */
export function photoNames(photos: readonly { readonly number: number; readonly url: string }[]): string {
  return new Intl.ListFormat('en').format(photos.map(({ number, url }) => nameOf(number, url)));
}

function nameOf(number: number, url: string): string {
  const name =
    url
      .replace(/[?#].*$/su, '')
      .split('/')
      .at(-1) ?? '';
  return name === '' ? String(number) : `${number} (${[...name].slice(0, MAX_NAME).join('')})`;
}
