/**
 * The listing that forms and photos show and change, wherever the page keeps it: the studio on its server, the page of
 * `serve` in the text of its editor.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { toPointer, valueAt } from '../document/json.ts';
import type {
  FilePurpose,
  ListingPath,
  PatchOperation,
  StudioState,
  StudioViolation,
} from '../editor/protocol.ts';
import { isFresh } from './fresh-field.ts';

export type ListingView = Pick<
  StudioState,
  'listing' | 'violations' | 'warnings' | 'phones' | 'photos' | 'images' | 'videos' | 'templates' | 'left_out'
> &
  Partial<Pick<StudioState, 'left_out_more'>>;

export interface EditOptions {
  /** Edits with the same label and paths that follow each other within 2 s are one step of undo. */
  readonly isTyping?: boolean;
}

export interface FileProgress {
  readonly onPercent?: (percent: number) => void;
  readonly signal?: AbortSignal;
}

/** How the listing names a file that was stored, or why it cannot be used, as a sentence. */
export type StoredFile = { readonly url: string } | { readonly problem: string };

export interface ListingSource {
  /** Null until it is known. */
  readonly view: ReadonlySignal<ListingView | null>;
  /** False while the listing cannot be changed, such as in a text that is not JSON. Absent: it always can. */
  readonly canEdit?: ReadonlySignal<boolean>;
  /** Changes the listing and makes it a step of undo. @param label - Of the step: `Move photo`. */
  readonly edit: (label: string, patch: readonly PatchOperation[], options: EditOptions) => void;
  readonly storeFile: (file: File, purpose: FilePurpose, progress: FileProgress) => Promise<StoredFile>;
  /** A photo was chosen, or its caption has the focus. */
  readonly showPhoto?: (index: number, isFocused: boolean) => void;
  /** Adds photos that are left out to those of the view, where it has more. */
  readonly showMoreLeftOut?: () => void;
  /** The rules are those of a listing file, whose licenses need no state. */
  readonly isFile?: boolean;
  /** A form of its own has template and length. */
  readonly hasTemplateForm?: boolean;
  /** A field of a form has the focus. */
  readonly showField?: (path: ListingPath) => void;
}

const source = signal<ListingSource | null>(null);

/** Called once, before anything is drawn. */
export function keepListingIn(chosen: ListingSource): void {
  source.value = chosen;
}

export const view = computed(() => {
  const known = source.value?.view.value ?? null;
  if (known === null || !known.violations.some(({ path }) => isFresh(path))) return known;
  return { ...known, violations: known.violations.filter(({ path }) => !isFresh(path)) };
});

export const canEdit = computed(() => source.value?.canEdit?.value ?? true);

export function edit(label: string, patch: readonly PatchOperation[], options: EditOptions = {}): void {
  if (patch.length > 0) source.peek()?.edit(label, patch, options);
}

export function storeFile(
  file: File,
  purpose: FilePurpose,
  progress: FileProgress = {},
): Promise<StoredFile> {
  return source.peek()!.storeFile(file, purpose, progress);
}

export function showPhoto(index: number, isFocused = false): void {
  source.peek()?.showPhoto?.(index, isFocused);
}

export function showMoreLeftOut(): void {
  source.peek()?.showMoreLeftOut?.();
}

export function isFile(): boolean {
  return source.peek()?.isFile === true;
}

export function hasTemplateForm(): boolean {
  return source.peek()?.hasTemplateForm === true;
}

export function showField(path: ListingPath): void {
  source.peek()?.showField?.(path);
}

export function listingValue(path: ListingPath): unknown {
  return valueAt(view.value?.listing, path);
}

/** Violations of exactly this field; with `isBelow`, of all that is in it too. */
export function violationsOf(path: ListingPath, isBelow = false): readonly StudioViolation[] {
  const own = toPointer(path);
  return (view.value?.violations ?? []).filter((violation) => {
    const pointer = toPointer(violation.path);
    return pointer === own || (isBelow && pointer.startsWith(`${own}/`));
  });
}
