/** The words for the fields of a listing, in forms and reports. Pure. */

/** Where people have another word than the file. */
const WORDS: Readonly<Record<string, string>> = {
  altered: 'label',
  assets: 'photos',
  create_preview: 'preview',
  cta: 'closing line',
  bathrooms: 'full bathrooms',
  grade: 'photo correction',
  id: 'id',
  interior_square_footage: 'square feet inside',
  originals_url: 'address of the originals',
  pace: 'speed',
  picture: 'portrait',
  ratio: 'shape',
  region: 'country',
  street: 'street and number',
  template_id: 'template',
  video_description: 'description',
  video_title: 'title',
  x: 'focus',
  y: 'focus',
};
/** Lists of an agent, whose items are named one by one. */
export const ITEM_WORDS: Readonly<Record<string, string>> = {
  phones: 'phone',
  emails: 'e-mail',
  licenses: 'license',
  offices: 'office',
};

/** @param field - A name of the file; a number stays. */
export function fieldWord(field: string | number): string {
  const name = String(field);
  return Object.hasOwn(WORDS, name) ? WORDS[name]! : name.replaceAll('_', ' ').slice(0, 60);
}
