/**
 * The listing that is being edited: the document in memory, its undo steps, and its file. Each change is saved at once.
 * A file that another program changed is read again; with changes here that are not saved, the person is asked which
 * version to keep. A version that is given up, and has work that the other lacks, is kept beside the file.
 *
 * Nothing is lost when the file cannot be read or written: edits stay in memory, and the next try saves them.
 */
import { MAX_LISTING_VALUES, parseListingText } from '../../listing/json/parse-json.ts';
import { errnoOf, isDiskFull } from '../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { ConflictAnswer, PatchOperation, StudioState } from '../editor/protocol.ts';
import { applyEdit } from './apply-edit.ts';
import { EditHistory, RELOAD_LABEL, typingPlace } from './edit-history.ts';
import { isObject, isSame, type ListingObject } from './json.ts';
import type { ListingFile } from './listing-file.ts';
import { writeListingText } from './listing-text.ts';

export interface DocumentOptions {
  readonly file: ListingFile;
  /** The name of the file in messages. */
  readonly name: string;
  readonly nowMs: () => number;
  /** What an edit makes, with what follows from it. */
  readonly follow?: (before: ListingObject, after: ListingObject) => ListingObject;
  /** Called after each change of {@link ListingEditor.state}, in order. */
  readonly onChange: () => void;
}

/** What the page shows of the document. */
export type DocumentState = Pick<
  StudioState,
  'revision' | 'listing' | 'undo' | 'redo' | 'conflict' | 'reloaded' | 'kept' | 'save'
>;

interface Version {
  readonly document: ListingObject;
  /** Without a byte order mark, which is not kept: RFC 8259 forbids it. */
  readonly text: string;
}

/** How often a file that another program changes right before it is replaced is read again at once. */
const MAX_TRIES = 20;
const SAVED = { state: 'saved', message: null } as const;

export class ListingEditor {
  readonly #options: DocumentOptions;
  readonly #history = new EditHistory<ListingObject>();
  #document: ListingObject;
  /** The last version of the file that was read or saved. */
  #base: Version;
  /** The last version that another program wrote. */
  #theirs: ListingObject;
  #revision = 0;
  #conflict = false;
  #reloaded: string | null = null;
  #kept: readonly string[] = [];
  #save: StudioState['save'] = SAVED;
  #signature = '';
  #seenSignature = '';
  #work: Promise<void> = Promise.resolve();

  /** @param bytes - What the file holds. @throws {@link ListingVideoError} `json_invalid`, `body_too_large`. */
  constructor(options: DocumentOptions, bytes: Uint8Array) {
    this.#base = readVersion(bytes, options.name);
    this.#options = options;
    this.#document = this.#base.document;
    this.#theirs = this.#base.document;
  }

  get document(): ListingObject {
    return this.#document;
  }

  get state(): DocumentState {
    return {
      revision: this.#revision,
      listing: this.#document,
      undo: this.#history.undoLabel,
      redo: this.#history.redoLabel,
      conflict: this.#conflict,
      reloaded: this.#reloaded,
      kept: this.#kept,
      save: this.#save,
    };
  }

  /** Applies a patch and saves. @returns Why it cannot be applied; null when it was. */
  async edit(label: string, patch: readonly PatchOperation[]): Promise<string | null> {
    const result = applyEdit(this.#document, patch);
    if (!result.ok) return result.problem;
    if (isSame(result.document, this.#document)) return null;
    const { follow = (_, after) => after } = this.#options;
    const document = follow(this.#document, result.document);
    const place = typingPlace(document, patch);
    this.#history.add(label, this.#document, place, this.#options.nowMs());
    await this.#step(document);
    return null;
  }

  /** Without a step to take back it does nothing. */
  async undo(): Promise<void> {
    await this.#step(this.#history.undo(this.#document));
  }

  async redo(): Promise<void> {
    await this.#step(this.#history.redo(this.#document));
  }

  async #step(document: ListingObject | null): Promise<void> {
    if (document === null) return;
    this.#change(document);
    await this.sync();
  }

  /**
   * Answers the question of a conflict, or takes back that the file was reloaded. The version that is given up is kept
   * beside the file. An answer to a question that is answered already does nothing.
   */
  async resolveConflict(keep: ConflictAnswer['keep']): Promise<void> {
    await this.#inTurn(() => (keep === 'before' ? this.#takeReloadBack() : this.#syncNow(keep)));
  }

  async #takeReloadBack(): Promise<void> {
    const theirs = this.#document;
    if (this.#history.undoLabel !== RELOAD_LABEL) return;
    try {
      await this.#giveUp(writeListingText(this.#base.text, this.#base.document, theirs));
    } catch (error) {
      return this.#fail(error);
    }
    // An edit that came meanwhile would be the step that is taken back.
    if (this.#document !== theirs) return;
    const before = this.#history.undo(theirs);
    if (before !== null) this.#change(before);
    await this.#syncNow(null);
  }

  async #giveUp(text: string): Promise<void> {
    this.#kept = [...this.#kept, await this.#options.file.keep(text)];
    this.#options.onChange();
  }

  /** Takes over a change of the file, then saves what is not saved. Never rejects: `state.save` has what went wrong. */
  async sync(): Promise<void> {
    await this.#inTurn(() => this.#syncNow(null));
  }

  /**
   * Looks whether the file changed, or could be saved by now. Called again and again. A file that just changed has
   * until the next call to be complete.
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

  #change(document: ListingObject): void {
    this.#document = document;
    this.#revision += 1;
    this.#options.onChange();
  }

  #report(save: StudioState['save'], conflict = false): void {
    if (isSame(save, this.#save) && conflict === this.#conflict) return;
    this.#save = save;
    this.#conflict = conflict;
    this.#options.onChange();
  }

  async #syncNow(keep: ConflictAnswer['keep'] | null, tries = MAX_TRIES): Promise<void> {
    const { file, name } = this.#options;
    try {
      if (tries === 0) throw new ListingVideoError('output_locked', `${name} changes all the time`);
      const signature = await file.signature();
      const bytes = await file.read();
      this.#signature = signature;
      if (bytes === null) {
        if (this.#isSaved() && this.#save.state === 'saved') return this.#report(failed(this.#goneMessage()));
        if (this.#isSaved()) return;
      } else if (
        new TextDecoder().decode(bytes) !== this.#base.text &&
        !(await this.#takeOver(bytes, keep))
      ) {
        return;
      }
      if ((bytes === null || !this.#isSaved()) && !(await this.#write(bytes)))
        return this.#syncNow(null, tries - 1);
      this.#report(SAVED);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#report(failed(this.#explain(error)), this.#conflict);
  }

  #isSaved(): boolean {
    return JSON.stringify(this.#document) === JSON.stringify(this.#base.document);
  }

  /** @returns False when the person must be asked first. @throws {@link ListingVideoError} as the constructor. */
  async #takeOver(bytes: Uint8Array, keep: ConflictAnswer['keep'] | null): Promise<boolean> {
    const { name, nowMs } = this.#options;
    const theirs = readVersion(bytes, name);
    const mine = this.#document;
    const isEqual = isSame(mine, theirs.document);
    const isSafe = this.#isSaved() || isEqual;
    if (!isSafe && keep === null) {
      const message = `${name} was also changed by another program: say which version to keep`;
      this.#report(failed(message), true);
      return false;
    }
    const isMine = keep === 'mine' && !isEqual;
    if (isMine) await this.#giveUp(theirs.text);
    else if (!isEqual && this.#isLostIn(theirs.document)) {
      await this.#giveUp(writeListingText(this.#base.text, this.#base.document, mine));
      // An edit that came meanwhile is not in what was kept.
      if (this.#document !== mine) return this.#takeOver(bytes, keep);
    }
    this.#base = theirs;
    this.#theirs = theirs.document;
    if (isMine || isEqual) return true;
    this.#reloaded = new Date(nowMs()).toISOString();
    this.#history.add(RELOAD_LABEL, mine, null, nowMs());
    this.#change(theirs.document);
    return true;
  }

  /** Whether `theirs` changes a field again that was changed here: it can come from an older version. */
  #isLostIn(theirs: ListingObject): boolean {
    const mine = this.#document;
    return Object.keys({ ...mine, ...this.#theirs }).some(
      (field) => !isSame(mine[field], this.#theirs[field]) && !isSame(mine[field], theirs[field]),
    );
  }

  /** @param known - What the file holds. @returns False when another program changed it since. */
  async #write(known: Uint8Array | null): Promise<boolean> {
    // An edit can come while the file is written: it has a turn of its own.
    const document = this.#document;
    const text = writeListingText(this.#base.text, this.#base.document, document);
    const signature = await this.#options.file.write(text, known);
    if (signature === null) return false;
    this.#signature = signature;
    this.#seenSignature = signature;
    this.#base = { document, text };
    return true;
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

function readVersion(bytes: Uint8Array, fileName: string): Version {
  const { value, text } = parseListingText(bytes, fileName, { maxValues: MAX_LISTING_VALUES });
  if (!isObject(value))
    throw new ListingVideoError('json_invalid', `${fileName}: a listing must be an object in { }`);
  return { document: value, text };
}

function failed(message: string): StudioState['save'] {
  return { state: 'failed', message };
}
