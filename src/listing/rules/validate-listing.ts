/**
 * Decides whether a value is a listing, and names every rule it breaks.
 *
 * Ajv applies the schema. This file turns its errors into violations, at most one for each value, in the order of the
 * document, and adds the rules that a schema cannot express: agent ids are unique, originals belong to altered photos. No I/O.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { LENGTH_FORMS, parseVideoLength } from '../../platform/video-length.ts';
import { MAX_LISTING_VALUES } from '../json/parse-json.ts';
import type { Listing, Violation } from '../listing.ts';
import { compileListingSchema } from './compile-listing-schema.ts';
import { withLicenseStates } from './license-states.ts';
import { sortViolations } from './sort-violations.ts';
import { validateUrl } from './validate-url.ts';
import type { Loc } from './violation.ts';
import * as violation from './violation.ts';
import { holdsMoreThan, pickListing } from './walk-schema.ts';

export interface ValidateListingOptions {
  /**
   * Whether assets, portraits and logos can be `file:` URLs and paths, and a license without a state has that of the
   * house: true on the command line, false for the API.
   */
  readonly allowLocalFiles: boolean;
}

export type ListingValidation =
  | {
      readonly ok: true;
      /** A copy with known properties only: nothing unchecked goes further. */
      readonly listing: Listing;
    }
  | {
      readonly ok: false;
      /** All violations, at least one, in the order of the document; missing properties of an object come first. */
      readonly violations: Violation[];
    };

/** Of several broken rules of one value, the one with the lowest rank is reported: kind, then length, then the rest. */
const RANKS: Readonly<Record<string, number>> = {
  required: 0,
  type: 0,
  enum: 0,
  minLength: 1,
  maxLength: 1,
  minItems: 1,
  maxItems: 1,
  maxProperties: 1,
  minimum: 2,
  maximum: 2,
  format: 2,
  pattern: 2,
};

/**
 * Validates parsed JSON against the rules of a listing. Never throws, whatever the value.
 *
 * Each violation's `loc` starts with `"body"`. Its `input` is the offending value itself (not a copy); for an absent
 * property it is the parent object. Validation of more than {@link MAX_LISTING_VALUES} values, which
 * only a program can pass, stops at the first broken rule.
 */
export function validateListing(given: unknown, options: ValidateListingOptions): ListingValidation {
  const input = options.allowLocalFiles ? withLicenseStates(given) : given;
  const collectAll = !holdsMoreThan(input, MAX_LISTING_VALUES);
  const validate = compileListingSchema({ allowLocalFiles: options.allowLocalFiles, collectAll });
  const isValid = validate(input);
  const violations = isValid ? [] : [...firstOfEachValue(input, validate.errors ?? [])].map(toViolation);
  // The compiled function would keep the last errors, and with them the last input, alive.
  validate.errors = null;
  violations.push(
    ...repeatedAgentIds(input),
    ...originalsOfUnaltered(input, violations),
    ...unknownLengths(input),
  );
  if (violations.length > 0) return { ok: false, violations: sortViolations(violations, input) };
  return { ok: true, listing: pickListing(input) };

  function toViolation({ error, loc }: PlacedError): Violation {
    return violationOf(error, loc, options.allowLocalFiles);
  }
}

interface PlacedError {
  readonly error: ErrorObject;
  readonly loc: Loc;
}

function firstOfEachValue(input: unknown, errors: readonly ErrorObject[]): Iterable<PlacedError> {
  const byValue = new Map<string, PlacedError>();
  for (const error of errors) {
    const rank = RANKS[error.keyword];
    // Wrappers such as `propertyNames` only say that something inside them failed.
    if (rank === undefined) continue;
    const key = `${error.instancePath}\n${error.propertyName ?? ''}\n${nameOfValue(error)}`;
    const known = byValue.get(key);
    if (known === undefined || rank < RANKS[known.error.keyword]!) {
      byValue.set(key, { error, loc: locOf(input, error) });
    }
  }
  return byValue.values();
}

/** Separates an object, an absent property of it and the name of a property: Ajv gives all three the object's path. */
function nameOfValue(error: ErrorObject): string {
  if (error.keyword === 'required') return `missing ${error.params.missingProperty as string}`;
  return error.propertyName === undefined ? 'value' : 'key';
}

function locOf(input: unknown, error: ErrorObject): Loc {
  const loc = ['body', ...violation.stepsOf(error.instancePath, input)];
  if (error.keyword === 'required') loc.push(error.params.missingProperty as string);
  if (error.propertyName !== undefined) loc.push(error.propertyName, '[key]');
  return loc;
}

/** @throws TypeError for a keyword the schema does not use; a test walks every keyword it does. */
function violationOf(error: ErrorObject, loc: Loc, allowLocalFiles: boolean): Violation {
  const schema = error.parentSchema as { readonly format?: string; readonly enum?: readonly unknown[] };
  const input: unknown = error.propertyName ?? error.data;
  const isUrl = schema.format === 'uri';
  const limit = (error.params as { limit?: number }).limit ?? 0;
  switch (error.keyword) {
    case 'required':
      return violation.missing(loc, input);
    case 'type':
      return kindViolation(loc, input, error.schema);
    case 'enum':
      return violation.literalError(
        loc,
        input,
        (schema.enum ?? []).filter((value) => typeof value === 'string'),
      );
    case 'minItems':
      return violation.tooShort(loc, input, 'List', limit, (input as unknown[]).length);
    case 'maxItems':
      return violation.tooLong(loc, input, 'List', limit, (input as unknown[]).length);
    case 'maxProperties':
      return violation.tooLong(loc, input, 'Dictionary', limit, Object.keys(input as object).length);
    case 'minLength':
      if (isUrl) return violation.urlParsing(loc, input, 'input is empty');
      return violation.stringTooShort(loc, input, limit);
    case 'maxLength':
      return isUrl ? violation.urlTooLong(loc, input, limit) : violation.stringTooLong(loc, input, limit);
    case 'minimum':
      return violation.greaterThanEqual(loc, input, limit);
    case 'maximum':
      return violation.lessThanEqual(loc, input, limit);
    case 'pattern':
      return violation.valueError(loc, input, 'metadata keys must not contain square brackets');
    case 'format':
      if (isUrl) return urlViolation(loc, input as string, allowLocalFiles);
      return violation.emailInvalid(loc, input);
    default:
      throw new TypeError(`no violation for the keyword ${error.keyword}`);
  }
}

function kindViolation(loc: Loc, input: unknown, expected: unknown): Violation {
  const kinds = [expected].flat();
  if (kinds.includes('string')) return violation.stringType(loc, input);
  if (kinds.includes('object')) return violation.dictType(loc, input);
  if (kinds.includes('array')) return violation.listType(loc, input);
  if (kinds.includes('boolean')) return violation.boolType(loc, input);
  if (typeof input === 'number' && !Number.isFinite(input)) return violation.finiteNumber(loc, input);
  if (kinds.includes('number')) return violation.floatType(loc, input);
  return typeof input === 'number' ? violation.intFromFloat(loc, input) : violation.intType(loc, input);
}

function urlViolation(loc: Loc, input: string, allowLocalFiles: boolean): Violation {
  const fault = validateUrl(input, allowLocalFiles);
  if (fault?.kind === 'parsing') return violation.urlParsing(loc, input, fault.error);
  return violation.urlScheme(loc, input, ['http', 'https']);
}

/** An original says what was changed: it belongs to an altered photo. @param known - A value has one violation. */
function originalsOfUnaltered(input: unknown, known: readonly Violation[]): Violation[] {
  const assets = (input as { readonly assets?: unknown } | null | undefined)?.assets;
  if (!Array.isArray(assets)) return [];
  const places = new Set(known.map(({ loc }) => loc.join('\n')));
  return assets.flatMap((asset: unknown, index) => {
    const { altered, original } = (asset ?? {}) as {
      readonly altered?: unknown;
      readonly original?: unknown;
    };
    const loc = ['body', 'assets', index, 'original'];
    const isAltered = altered !== undefined && altered !== false;
    if (original === undefined || isAltered || places.has(loc.join('\n'))) return [];
    return [violation.valueError(loc, original, 'original is only allowed beside altered')];
  });
}

/** Other data layers fall back to their default; with a wrong length the video would be another one. */
function unknownLengths(input: unknown): Violation[] {
  const agents = (input as { readonly agents?: unknown } | null | undefined)?.agents;
  if (!Array.isArray(agents)) return [];
  return agents.flatMap((agent: unknown, index) => {
    const { template_data: data } = asObject(asObject(agent).video_options);
    const { length } = asObject(data);
    if (typeof length !== 'string' || length.trim() === '' || parseVideoLength(length) !== null) return [];
    const loc = ['body', 'agents', index, 'video_options', 'template_data', 'length'];
    return [violation.valueError(loc, length, `length must be ${LENGTH_FORMS}`)];
  });
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Clients match results by agent id. The fault is at the later agent. */
function repeatedAgentIds(input: unknown): Violation[] {
  const agents = (input as { readonly agents?: unknown } | null | undefined)?.agents;
  if (!Array.isArray(agents)) return [];
  const seen = new Set<string>();
  const repeats: Violation[] = [];
  for (const [index, agent] of agents.entries()) {
    const id = (agent as { readonly id?: unknown } | null | undefined)?.id;
    if (typeof id !== 'string') continue;
    if (seen.has(id)) {
      const loc = ['body', 'agents', index, 'id'];
      repeats.push(violation.valueError(loc, id, 'agent id is used by an earlier agent'));
    }
    seen.add(id);
  }
  return repeats;
}
