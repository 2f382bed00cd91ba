/** The templates that a listing can name here. */
import { signal } from '@preact/signals';
import type { StudioTemplate } from '../../editor/protocol.ts';
import { ask } from './api.ts';

/** Empty while they are not known: then a template is named in a field of text. */
export const offeredTemplates = signal<readonly StudioTemplate[]>([]);

/** Asks the server, once they are needed. A failure is left to what else is asked. */
export async function readTemplates(): Promise<void> {
  if (offeredTemplates.peek().length > 0) return;
  try {
    const { body } = await ask<{ data: readonly Pick<StudioTemplate, 'id' | 'name' | 'description'>[] }>(
      'v1/templates',
    );
    // Their data layers are named in the text: the forms here have the words that every template has.
    const own = { layers: [], from: '', problem: null };
    offeredTemplates.value = body.data.map(({ id, name, description }) => ({
      id,
      name,
      description,
      ...own,
    }));
  } catch {
    // A server that offers no list still takes their ids.
  }
}
