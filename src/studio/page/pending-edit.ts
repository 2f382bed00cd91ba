/** Edits of the page that the server has not confirmed. */
import { applyPatch } from '../document/json.ts';
import type { PatchOperation, StudioState } from '../editor/protocol.ts';

export interface PendingEdit {
  readonly label: string;
  readonly patch: readonly PatchOperation[];
  /** Same key: the later edit of a text that is being typed replaces the earlier one. */
  readonly key: string | null;
}

/** The listing as it will be. */
export function withEdits(
  listing: StudioState['listing'],
  edits: readonly PendingEdit[],
): StudioState['listing'] {
  let shown = listing;
  for (const { patch } of edits) {
    try {
      shown = applyPatch(shown, patch);
    } catch {
      // The server refuses it soon, and says so.
    }
  }
  return shown;
}
