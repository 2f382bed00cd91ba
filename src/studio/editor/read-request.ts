/** Reads what the page sends: anything can be in it. @throws {@link RefusedRequest} for what is not in protocol.ts. */
import type { AspectRatio } from '../../listing/listing.ts';
import type { ERROR_TABLE } from '../../platform/errors.ts';
import { DESTINATION_NAMES, type DestinationName } from '../../video/destinations/destination-table.ts';
import type {
  ConflictAnswer,
  EditRequest,
  FilePurpose,
  PatchOperation,
  RatioChoice,
  RenderRequest,
} from './protocol.ts';

type Table = typeof ERROR_TABLE;

export type ProblemCode = {
  [K in keyof Table]: Table[K] extends { httpStatus: number } ? K : never;
}[keyof Table];

/** A request that the studio's server refuses, with a code of the error table. */
export class RefusedRequest extends Error {
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

const RATIOS: readonly AspectRatio[] = ['1920:1080', '1080:1920'];
const PURPOSES: readonly FilePurpose[] = ['photo', 'portrait', 'logo', 'music'];
const WITH_VALUE = ['add', 'replace', 'test'];
const WITH_FROM = ['move', 'copy'];
const MAX_LABEL_CHARS = 200;

export function readEdit(body: unknown): EditRequest {
  const { revision, label, patch } = toObject(body);
  if (typeof revision !== 'number') throw invalid('revision: a number is needed');
  if (typeof label !== 'string' || label === '' || label.length > MAX_LABEL_CHARS)
    throw invalid(`label: a text of 1 to ${MAX_LABEL_CHARS} characters is needed`);
  if (!Array.isArray(patch) || !patch.every(isOperation))
    throw invalid('patch: a list of operations of RFC 6902 is needed');
  return { revision, label, patch };
}

export function readConflictAnswer(body: unknown): ConflictAnswer {
  const { keep } = toObject(body);
  if (keep !== 'mine' && keep !== 'theirs' && keep !== 'before')
    throw invalid('keep: mine, theirs or before is needed');
  return { keep };
}

export function readRender(body: unknown): RenderRequest {
  const { agents, ratios, destinations } = toObject(body);
  if (agents !== undefined && !isListOf(agents, (id): id is string => typeof id === 'string'))
    throw invalid('agents: a list of ids is needed');
  if (ratios !== undefined && !isListOf(ratios, isRatio)) throw invalid('ratios: a list of ratios is needed');
  return {
    ...(agents !== undefined && { agents }),
    ...(ratios !== undefined && { ratios }),
    ...(destinations !== undefined && { destinations: toPlaces(destinations) }),
  };
}

export function readPlaces(body: unknown): readonly DestinationName[] {
  return toPlaces(toObject(body).places);
}

function toPlaces(value: unknown): readonly DestinationName[] {
  if (!isListOf(value, isPlace)) throw invalid(`places: a list of ${DESTINATION_NAMES.join(', ')} is needed`);
  return inTableOrder(value);
}

/** Those that are places, each once: files are named for them in this order. */
export function inTableOrder(value: unknown): readonly DestinationName[] {
  return Array.isArray(value) ? DESTINATION_NAMES.filter((name) => value.includes(name)) : [];
}

export function readShapes(body: unknown): RatioChoice {
  const { shapes } = toObject(body);
  if (!isRatioChoice(shapes)) throw invalid(`shapes: own, both, ${RATIOS.join(' or ')} is needed`);
  return shapes;
}

export function isRatioChoice(value: unknown): value is RatioChoice {
  return value === 'own' || value === 'both' || isRatio(value);
}

export function readProof(body: unknown): string {
  const { proof } = toObject(body);
  if (typeof proof !== 'string') throw invalid('proof: a text is needed');
  return proof;
}

/** A name that a page or another process gives to something. */
export function readName(value: unknown): string {
  if (typeof value !== 'string' || !/^[\w-]{1,64}$/.test(value))
    throw invalid('a name of 1 to 64 letters and digits is needed');
  return value;
}

export function readPurpose(value: string | undefined): FilePurpose {
  const found = PURPOSES.find((purpose) => purpose === value);
  if (found === undefined) throw invalid(`for: one of ${PURPOSES.join(', ')} is needed`);
  return found;
}

export function readRatio(value: unknown): AspectRatio {
  if (!isRatio(value)) throw invalid(`ratio: ${RATIOS.join(' or ')} is needed`);
  return value;
}

function isRatio(value: unknown): value is AspectRatio {
  return RATIOS.some((ratio) => ratio === value);
}

function isPlace(value: unknown): value is DestinationName {
  return DESTINATION_NAMES.some((name) => name === value);
}

function isListOf<T>(value: unknown, check: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(check);
}

function isOperation(value: unknown): value is PatchOperation {
  const { op, path, from } = toObject(value);
  if (typeof op !== 'string' || typeof path !== 'string') return false;
  if (WITH_VALUE.includes(op)) return Object.hasOwn(value as object, 'value');
  return op === 'remove' || (WITH_FROM.includes(op) && typeof from === 'string');
}

export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function invalid(message: string): RefusedRequest {
  return new RefusedRequest('invalid_request', message);
}
