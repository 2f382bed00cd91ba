/** What the page knows of the caller's organization and of the server. */
import { signal } from '@preact/signals';
import { ask } from './api.ts';

/** Credits left. Null: the organization is not metered, or nothing is known. */
export const balance = signal<number | null>(null);

/** True when the server takes photos. */
export const takesPhotos = signal(false);

/** Asks the server. A failure is left to the view that also asks it. */
export async function readAccount(): Promise<void> {
  try {
    const { body, betas } = await ask<{ balance: number; is_metered?: boolean }>('v1/organization');
    balance.value = body.is_metered === true ? body.balance : null;
    takesPhotos.value = betas.has('uploads');
  } catch {
    // An outdated balance is hidden.
    balance.value = null;
  }
}
