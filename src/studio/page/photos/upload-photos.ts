/** Photos that are dropped in or chosen: copied one after the other, then added to the listing in one step. */
import { signal } from '@preact/signals';
import { announce } from '../announce.ts';
import { sendFile } from '../api.ts';
import { edit, state } from '../state.ts';
import { countWords } from '../../components/words.ts';
import { addPhotos } from '../../components/photos/photo-edits.ts';

/** Null: nothing is on its way. */
export const upload = signal<{ readonly done: number; readonly count: number } | null>(null);

/** Files that could not be used, with the reason of each. */
export const refused = signal<readonly { readonly name: string; readonly message: string }[]>([]);

export async function uploadPhotos(files: readonly File[]): Promise<void> {
  if (files.length === 0 || upload.value !== null) return;
  refused.value = [];
  const added: { readonly url: string }[] = [];
  for (const [done, file] of files.entries()) {
    upload.value = { done, count: files.length };
    const answer = await sendFile(file, 'photo');
    if (answer.kind === 'ok') added.push({ url: answer.value.url });
    else {
      const message = answer.kind === 'refused' ? answer.message : 'The studio does not answer.';
      refused.value = [...refused.value, { name: file.name, message }];
    }
  }
  upload.value = null;
  const listing = state.value?.listing;
  if (listing === undefined) return;
  const words = countWords(added.length, 'photo');
  edit(
    `Add ${words}`,
    addPhotos(
      listing,
      added.map(({ url }) => ({ url, type: 'image' })),
    ),
  );
  const failed = refused.value.length;
  announce(`${words} added.${failed > 0 ? ` ${countWords(failed, 'file')} could not be used.` : ''}`);
}
