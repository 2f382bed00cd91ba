/**
 * Violations in the words of the command line: what was expected, and what was found. The API keeps the sentences of
 * pydantic (violation.ts). Pure.
 */
import { nearestName } from '../../platform/nearest-name.ts';
import type { Violation } from '../listing.ts';
import { type JsonSchema, LISTING_SCHEMA } from './schema.ts';
import type { Loc } from './violation.ts';
import { childSchema } from './walk-schema.ts';

/** Says it of one violation. `schema` is the rule of the value at its place. */
type Sentence = (violation: Violation, schema: JsonSchema) => string;

const expected =
  (what: string): Sentence =>
  ({ input }) =>
    `expected ${what}, found ${describeValue(input)}`;

/** One row for each `type` that `validateListing` reports, and for photos that cannot be used. A test walks them. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  missing: () => 'required, but missing',
  string_type: expected('text in double quotes'),
  list_type: expected('a list in [ ]'),
  dict_type: expected('an object in { }'),
  bool_type: expected('true or false, without quotes'),
  int_type: expected('a whole number, without quotes'),
  int_from_float: expected('a whole number'),
  float_type: expected('a number, without quotes'),
  finite_number: () => 'the number is too large',
  too_short: needed,
  too_long: needed,
  string_too_short: ({ ctx }) =>
    ctx?.min_length === 1 ? 'the text is empty' : `at least ${String(ctx?.min_length)} characters are needed`,
  string_too_long: tooManyCharacters('the text'),
  url_too_long: tooManyCharacters('the address'),
  greater_than_equal: (violation) => expected(`${String(violation.ctx?.ge)} or more`)(violation, {}),
  less_than_equal: (violation) => expected(`${String(violation.ctx?.le)} or less`)(violation, {}),
  literal_error: notAllowed,
  url_parsing: ({ ctx, input }) =>
    input === '' || ctx?.error === 'input is empty'
      ? `the text is empty: ${IMAGE_PLACES}`
      : `not a valid address (${String(ctx?.error)}): ${IMAGE_PLACES}`,
  url_scheme: ({ input }) => `found ${describeValue(input)}: ${IMAGE_PLACES}`,
  value_error: ({ ctx, msg }) =>
    ctx?.reason === undefined
      ? String(ctx?.error ?? msg)
      : 'not a complete e-mail address, such as name@example.com',
  no_usable_assets: ({ ctx }) =>
    ctx?.usable === 0
      ? `none of the ${String(ctx.given)} photos can be used`
      : `${String(ctx?.usable)} of ${String(ctx?.given)} photos can be used, at least ${String(ctx?.required)} are needed`,
};

/** What `--server` does not accept is refused by a rule of its own, so this holds for every listing of a file. */
const IMAGE_PLACES = 'use an http or https URL, or the path of a file';

const NOUNS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  assets: ['photo', 'photos'],
  agents: ['agent', 'agents'],
  metadata: ['entry', 'entries'],
};

/** The sentence of a violation; its own message for one of a newer server. It does not name the place. */
export function explainViolation(violation: Violation): string {
  const sentence = Object.hasOwn(SENTENCES, violation.type) ? SENTENCES[violation.type] : undefined;
  return sentence?.(violation, schemaAt(violation.loc)) ?? violation.msg.replace(/^Value error, /, '');
}

export const EXPLAINED_TYPES: readonly string[] = Object.keys(SENTENCES);

/** `5 to 100 photos are needed, there are 4`. */
function needed({ loc, ctx }: Violation, { minItems, maxItems, maxProperties }: JsonSchema): string {
  const min = (minItems ?? ctx?.min_length) as number | undefined;
  const max = (maxItems ?? maxProperties ?? ctx?.max_length) as number | undefined;
  const actual = Number(ctx?.actual_length);
  const [one, many] = NOUNS[String(loc.at(-1))] ?? ['item', 'items'];
  const range =
    min === undefined ? `at most ${max}` : max === undefined ? `at least ${min}` : `${min} to ${max}`;
  const verb = min === undefined ? 'allowed' : 'needed';
  const noun = (max ?? min) === 1 ? one : many;
  return `${range} ${noun} are ${verb}, there ${actual === 1 ? 'is' : 'are'} ${actual === 0 ? 'none' : actual}`;
}

function tooManyCharacters(what: string): Sentence {
  return ({ input, ctx }) => {
    const length = typeof input === 'string' ? `, and has ${[...input].length}` : '';
    return `${what} can have ${String(ctx?.max_length)} characters at most${length}`;
  };
}

function notAllowed({ input, ctx }: Violation, schema: JsonSchema): string {
  const allowed = ((schema.enum ?? []) as unknown[]).filter((value) => typeof value === 'string');
  const near = typeof input === 'string' ? nearestName(input, allowed) : undefined;
  const words = allowed.map((value) => `"${value}"`);
  const last = words.pop();
  const list =
    last === undefined ? String(ctx?.expected) : [words.join(', '), last].filter(Boolean).join(' or ');
  const hint = near === undefined || allowed.length < 3 ? '' : `; did you mean "${near}"?`;
  return `expected ${list}, found ${describeValue(input)}${hint}`;
}

const MAX_SHOWN_CHARS = 60;

/** A value as messages quote it: short, and on one line. */
function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const characters = [...text];
  return characters.length <= MAX_SHOWN_CHARS ? text : `${characters.slice(0, MAX_SHOWN_CHARS).join('')}…`;
}

/** The schema of the value at `loc`; empty where there is none, as in a query. */
function schemaAt(loc: Loc): JsonSchema {
  let schema: JsonSchema | null = loc[0] === 'body' ? LISTING_SCHEMA : null;
  for (const step of loc.slice(1)) schema = schema && childSchema(schema, step);
  return schema ?? {};
}
