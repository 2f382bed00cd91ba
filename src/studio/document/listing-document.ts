/**
 * The listing that is being edited: the document in memory, its undo steps, and its file. Each change is saved at once. A
 * change of the file from outside is merged; where both sides changed one field, the person is asked.
 *
 * Nothing is lost when the file cannot be read or written: edits stay in memory, and the next try saves them.
 */
import { isDeepStrictEqual } from 'node:util';
import { errnoOf, isDiskFull } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { PatchOperation, StudioState } from '../editor/protocol.ts';
import { applyEdit, type ListingDocument } from './apply-edit.ts';
import { describeChanges, describeConflicts } from './describe-changes.ts';
import { EditHistory, typingPlace } from './edit-history.ts';
import type { ListingFile } from './listing-file.ts';
import { readListingText, writeListingText } from './listing-text.ts';
import { mergeListing, type Side } from './merge-listing.ts';

export interface DocumentOptions {
  readonly file: ListingFile;
  /** The name of the file in messages. */
  readonly name: string;
  readonly nowMs: () => number;
  /** Called after each change of {@link ListingEditor.state}, in order. */
  readonly onChange: () => void;
}

/** What the page shows of the document. */
export type DocumentState = Pick<
  StudioState,
  'revision' | 'listing' | 'undo' | 'redo' | 'conflict' | 'merged' | 'save'
>;

const OUTSIDE_LABEL = 'Change of the file';
const SAVED = { state: 'saved', message: null } as const;

export class ListingEditor {
  readonly #options: DocumentOptions;
  readonly #history = new EditHistory();
  #document: ListingDocument;
  /** What file and document have in common: the last version that was read or saved. */
  #base: ListingDocument;
  /** The text of `#base`. */
  #text: string;
  #revision = 0;
  #conflict: StudioState['conflict'] = null;
  #merged: StudioState['merged'] = null;
  #save: StudioState['save'] = SAVED;
  #signature = '';
  #seenSignature = '';
  #work: Promise<void> = Promise.resolve();

  /** @param bytes - What the file holds. @throws {@link ListingVideoError} as `readListingText`. */
  constructor(options: DocumentOptions, bytes: Uint8Array) {
    const { document, text } = readListingText(bytes, options.name);
    this.#options = options;
    this.#document = document;
    this.#base = document;
    this.#text = text;
  }

  get document(): ListingDocument {
    return this.#document;
  }

  get state(): DocumentState {
    return {
      revision: this.#revision,
      listing: this.#document,
      undo: this.#history.undoLabel,
      redo: this.#history.redoLabel,
      conflict: this.#conflict,
      merged: this.#merged,
      save: this.#save,
    };
  }

  /** Applies a patch and saves. @returns Why it cannot be applied; null when it was. */
  async edit(label: string, patch: readonly PatchOperation[]): Promise<string | null> {
    const result = applyEdit(this.#document, patch);
    if (!result.ok) return result.problem;
    if (isDeepStrictEqual(result.document, this.#document)) return null;
    const place = typingPlace(result.document, patch);
    this.#history.add(label, this.#document, place, this.#options.nowMs());
    this.#change(result.document);
    await this.sync();
    return null;
  }

  /** Without a step to take back it does nothing. */
  async undo(): Promise<void> {
    await this.#step(this.#history.undo(this.#document));
  }

  async redo(): Promise<void> {
    await this.#step(this.#history.redo(this.#document));
  }

  async #step(document: ListingDocument | null): Promise<void> {
    if (document === null) return;
    this.#change(document);
    await this.sync();
  }

  /** Answers the question of a conflict. Undo reaches the version that was given up. */
  async resolveConflict(keep: Side): Promise<void> {
    await this.#inTurn(() => this.#syncNow(keep));
  }

  /** Takes over a change of the file, then saves what is not saved. Never rejects: `state.save` has what went wrong. */
  async sync(): Promise<void> {
    await this.#inTurn(() => this.#syncNow(null));
  }

  /**
   * Looks whether the file changed, or could be saved by now. Called again and again. A file that just changed has until the
   * next call to be complete.
   */
  async check(): Promise<void> {
    const signature = await this.#options.file.signature();
    const isSettled = signature === this.#seenSignature;
    this.#seenSignature = signature;
    if (isSettled && (signature !== this.#signature || this.#save.state === 'failed')) await this.sync();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work);
    return this.#work;
  }

  #change(document: ListingDocument): void {
    this.#document = document;
    this.#revision += 1;
    this.#options.onChange();
  }

  #report(save: StudioState['save'], conflict: StudioState['conflict'] = null): void {
    if (isDeepStrictEqual([save, conflict], [this.#save, this.#conflict])) return;
    this.#save = save;
    this.#conflict = conflict;
    this.#options.onChange();
  }

  async #syncNow(preferred: Side | null): Promise<void> {
    const { file } = this.#options;
    try {
      const signature = await file.signature();
      const bytes = await file.read();
      this.#signature = signature;
      if (bytes === null) {
        if (this.#isSaved() && this.#save.state === 'saved') return this.#report(failed(this.#goneMessage()));
        if (this.#isSaved()) return;
      } else if (!this.#isKnown(bytes) && !this.#takeOver(bytes, preferred)) {
        return;
      }
      if (bytes === null || !this.#isSaved()) await this.#write();
      this.#report(SAVED);
    } catch (error) {
      this.#report(failed(this.#explain(error)));
    }
  }

  #isKnown(bytes: Uint8Array): boolean {
    return new TextDecoder().decode(bytes) === this.#text;
  }

  #isSaved(): boolean {
    return JSON.stringify(this.#document) === JSON.stringify(this.#base);
  }

  /** @returns False when the person must be asked first. @throws {@link ListingVideoError} as `readListingText`. */
  #takeOver(bytes: Uint8Array, preferred: Side | null): boolean {
    const theirs = readListingText(bytes, this.#options.name);
    const mine = this.#document;
    const versions = [this.#base, mine, theirs.document] as const;
    const { document, conflicts } = mergeListing(...versions, preferred ?? 'mine');
    if (conflicts.length > 0 && preferred === null) {
      const message = `${this.#options.name} was also changed by another program: say which version to keep`;
      this.#report(failed(message), { changes: describeConflicts(conflicts, mine, theirs.document) });
      return false;
    }
    this.#base = theirs.document;
    this.#text = theirs.text;
    if (isDeepStrictEqual(document, mine)) return true;
    const at = new Date(this.#options.nowMs()).toISOString();
    this.#merged = { at, changes: describeChanges(mine, document) };
    this.#history.add(OUTSIDE_LABEL, mine, null, this.#options.nowMs());
    this.#change(document);
    return true;
  }

  async #write(): Promise<void> {
    const { file } = this.#options;
    // An edit can come while the file is written: it has a turn of its own.
    const document = this.#document;
    const text = writeListingText(this.#text, this.#base, document);
    this.#signature = await file.write(text);
    this.#seenSignature = this.#signature;
    this.#base = document;
    this.#text = text;
  }

  #goneMessage(): string {
    return `${this.#options.name} is gone. Your work is kept here, and your next change writes the file again.`;
  }

  #explain(error: unknown): string {
    const { name } = this.#options;
    const kept = 'Your changes are kept here and saved as soon as that works again.';
    if (error instanceof ListingVideoError) return `${error.message}. ${kept}`;
    if (isDiskFull(error)) return `${name} cannot be saved: the disk is full. ${kept}`;
    const errno = errnoOf(error);
    const reason = errno === 'EACCES' || errno === 'EPERM' || errno === 'EROFS' ? 'it is read-only' : errno;
    return `${name} cannot be saved: ${reason || String(error)}. ${kept}`;
  }
}

function failed(message: string): StudioState['save'] {
  return { state: 'failed', message };
}
