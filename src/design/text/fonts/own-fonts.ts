/**
 * The families of users' own templates. A family is known by a key with the hash of its files, which stands in
 * `TextStyle.family`: memos, masks and segment keys then follow the bytes, and two templates can use one name.
 */
import { createHash } from 'node:crypto';
import type { FontFile } from './read-font-file.ts';

export interface OwnFace extends Omit<FontFile, 'familyName'> {
  /** Named in messages, such as `fonts/Brand-Bold.otf`. */
  readonly file: string;
}

export interface OwnFamily {
  readonly name: string;
  readonly faces: readonly OwnFace[];
  readonly fallback: 'sans' | 'serif';
}

interface RegisteredFace extends OwnFace {
  readonly digest: string;
}

interface RegisteredFamily extends OwnFamily {
  readonly faces: readonly RegisteredFace[];
}

const families = new Map<string, RegisteredFamily>();

/** Makes the family known to this process and returns its key; the same files give the same key. */
export function registerFamily(family: OwnFamily): string {
  const faces = family.faces.map((face) => ({
    ...face,
    digest: createHash('sha256').update(face.openType).digest('hex'),
  }));
  const content = faces.map(({ digest, minWeight, maxWeight, isItalic }) => [
    digest,
    minWeight,
    maxWeight,
    isItalic,
  ]);
  const hash = createHash('sha256').update(JSON.stringify([content, family.fallback]));
  const key = `${family.name}@${hash.digest('hex').slice(0, 24)}`;
  if (!families.has(key)) families.set(key, { ...family, faces });
  return key;
}

/** The family of a key; `undefined` for a family that ships. */
export function ownFamily(key: string): RegisteredFamily | undefined {
  return families.get(key);
}

/** How far the weight of a font can be from the weight that a style asks for: fonts of 250 and 275 are usual. */
const WEIGHT_TOLERANCE = 50;

export interface ChosenFace {
  readonly face: RegisteredFace;
  /** Within the face's range. */
  readonly weight: number;
  readonly lacksWeight: boolean;
  readonly lacksItalic: boolean;
}

/** The nearest face: of its slope first, then of its weight; of two equally near the bolder. */
export function chooseFace(
  { faces }: RegisteredFamily,
  style: { readonly weight: number; readonly italic: boolean },
): ChosenFace {
  const sloped = faces.filter(({ isItalic }) => isItalic === style.italic);
  const [first, ...rest] = (sloped.length > 0 ? sloped : faces).map((face) => ({
    face,
    weight: Math.min(face.maxWeight, Math.max(face.minWeight, style.weight)),
  }));
  const far = (choice: { readonly weight: number }) => Math.abs(choice.weight - style.weight);
  const best = rest.reduce(
    (best, next) =>
      far(next) < far(best) || (far(next) === far(best) && next.weight > best.weight) ? next : best,
    first!,
  );
  return {
    ...best,
    lacksWeight: far(best) > WEIGHT_TOLERANCE,
    lacksItalic: style.italic && sloped.length === 0,
  };
}
