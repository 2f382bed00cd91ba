/** The steps of undo and redo: whole documents with labels. Pure. */
import type { PatchOperation } from '../editor/protocol.ts';
import { type ListingObject, pointerSteps, valueAt } from './json.ts';

/** Label of the step that another program made in the file. */
export const RELOAD_LABEL = 'Change of the file';
const MAX_STEPS = 200;
/** A pause in typing that begins a new step. */
const TYPING_PAUSE_MS = 2_000;

interface Step<Document> {
  readonly label: string;
  /** Before the step, and for redo after it. */
  readonly document: Document;
}

/** Remembers documents; the caller holds the current one. */
export class EditHistory<Document> {
  readonly #undo: Step<Document>[] = [];
  readonly #redo: Step<Document>[] = [];
  /** Where the last step typed, and when. */
  #typing: { readonly place: string; readonly atMs: number } | null = null;

  get undoLabel(): string | null {
    return this.#undo.at(-1)?.label ?? null;
  }

  get redoLabel(): string | null {
    return this.#redo.at(-1)?.label ?? null;
  }

  /**
   * Adds a step, or continues the last one when it typed into the same place.
   *
   * @param before - The document before the step.
   * @param typedAt - From {@link typingPlace}; null for what is no typing.
   */
  add(label: string, before: Document, typedAt: string | null, nowMs: number): void {
    const last = this.#typing;
    const place = typedAt === null ? null : `${label}\n${typedAt}`;
    const continues =
      place !== null &&
      last?.place === place &&
      nowMs - last.atMs <= TYPING_PAUSE_MS &&
      this.undoLabel === label &&
      this.#redo.length === 0;
    if (!continues) this.#undo.push({ label, document: before });
    if (this.#undo.length > MAX_STEPS) this.#undo.shift();
    this.#redo.length = 0;
    this.#typing = place === null ? null : { place, atMs: nowMs };
  }

  /** The document before the last step; null when there is none. */
  undo(current: Document): Document | null {
    return this.#move(this.#undo, this.#redo, current);
  }

  /** The document after the step that was taken back last; null when there is none. */
  redo(current: Document): Document | null {
    return this.#move(this.#redo, this.#undo, current);
  }

  #move(from: Step<Document>[], to: Step<Document>[], current: Document): Document | null {
    this.#typing = null;
    const step = from.pop();
    if (step === undefined) return null;
    to.push({ label: step.label, document: current });
    return step.document;
  }
}

/**
 * The places that a patch types into: it puts texts or numbers into places where the page could have a field, such as
 * one data layer of each agent, or removes what was typed. Null for any other patch.
 */
export function typingPlace(after: ListingObject, patch: readonly PatchOperation[]): string | null {
  const places = patch.filter(isTyped).map(({ path }) => path);
  // Objects on the way to a field, which its first letter makes.
  const isTyping = patch.every(
    (each) =>
      isTyped(each) || (each.op === 'add' && places.some((place) => place.startsWith(`${each.path}/`))),
  );
  const isInList = (place: string): boolean =>
    Array.isArray(valueAt(after, pointerSteps(place).slice(0, -1)));
  return !isTyping || places.length === 0 || places.some(isInList) ? null : places.join('\n');
}

function isTyped(operation: PatchOperation): boolean {
  if (operation.op === 'remove') return true;
  return (
    (operation.op === 'add' || operation.op === 'replace') &&
    ['string', 'number'].includes(typeof operation.value)
  );
}
