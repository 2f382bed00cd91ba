/**
 * Where a value breaks a JSON Schema, in words: for all files but listings, whose messages are in violation.ts. Ajv
 * loads on the first call, so that built-in templates do not pay for it.
 */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { nearestName, notOneOf, orNearest } from '../../platform/nearest-name.ts';
import { loadAjv } from './compile-schema.ts';
import { stepsOf } from './violation.ts';

export interface SchemaFault {
  /** Keys and indexes from the root of the value. */
  readonly loc: readonly (string | number)[];
  /** Continues the place: `is missing`, `is not a number`. */
  readonly problem: string;
  /** The last step is a key that the schema does not know. */
  readonly isUnknownKey?: true;
  /** The name that a misspelled key was probably meant to be. */
  readonly suggestion?: string;
}

const compiled = new WeakMap<object, ValidateFunction>();

/** What text that breaks a pattern is not: continues the place, as {@link SchemaFault.problem} does. */
type PatternWords = Readonly<Record<string, string>>;

/** All faults, one for each place at most, in the order in which Ajv met them. */
export function findSchemaFaults(
  schema: object,
  value: unknown,
  patternWords: PatternWords = {},
): SchemaFault[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  const faults = new Map<string, SchemaFault>();
  for (const { instancePath, errors } of groupByPlace(validate.errors ?? [])) {
    for (const fault of toFaults(instancePath, errors, value, patternWords)) {
      const key = JSON.stringify(fault.loc);
      if (!faults.has(key)) faults.set(key, fault);
    }
  }
  return [...faults.values()];
}

function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const Ajv2020 = loadAjv();
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, validateSchema: false });
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** Keywords that only report that a schema inside them failed. */
const WRAPPERS = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'propertyNames']);

/**
 * Where a value can have one of several forms, every form reports its faults. If a form matched the value and failed
 * only inside it, the inner faults are enough.
 */
function groupByPlace(errors: readonly ErrorObject[]): { instancePath: string; errors: ErrorObject[] }[] {
  const choices = new Set(
    errors
      .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
      .map((error) => error.instancePath),
  );
  const leaves = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
  const isBeside = ({ instancePath }: ErrorObject): boolean =>
    choices.has(instancePath) && leaves.some((other) => other.instancePath.startsWith(`${instancePath}/`));
  const groups = new Map<string, ErrorObject[]>();
  for (const error of leaves) {
    if (isBeside(error) && error.keyword === 'type') continue;
    groups.set(error.instancePath, [...(groups.get(error.instancePath) ?? []), error]);
  }
  return [...groups].map(([instancePath, found]) => ({ instancePath, errors: found }));
}

function toFaults(
  instancePath: string,
  errors: readonly ErrorObject[],
  value: unknown,
  patternWords: PatternWords,
): SchemaFault[] {
  const loc = stepsOf(instancePath, value);
  const inside = errors.flatMap((error): SchemaFault[] => {
    const { missingProperty, additionalProperty } = error.params as Record<string, string>;
    if (error.keyword === 'required') return [{ loc: [...loc, missingProperty!], problem: 'is missing' }];
    if (error.keyword !== 'additionalProperties' && error.keyword !== 'unevaluatedProperties') return [];
    const name = additionalProperty ?? String(error.params.unevaluatedProperty);
    const known = Object.keys((error.parentSchema?.properties ?? {}) as object);
    // A name that is there too was not meant.
    const absent = known.filter((property) => !Object.hasOwn(error.data as object, property));
    const near = nearestName(name, absent);
    return [
      {
        loc: [...loc, name],
        problem: `is not known here${orNearest(name, absent)}`,
        isUnknownKey: true,
        ...(near !== undefined && { suggestion: near }),
      },
    ];
  });
  const names = errors.flatMap((error): SchemaFault[] =>
    error.propertyName === undefined
      ? []
      : [{ loc: [...loc, error.propertyName], problem: toWords(error, patternWords) }],
  );
  inside.push(...names);
  const own = errors.filter(
    ({ keyword, propertyName }) =>
      propertyName === undefined &&
      !['required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword),
  );
  if (own.length === 0) return inside;
  const problem = [...new Set(own.map((error) => toWords(error, patternWords)))].join(', or ');
  return [{ loc, problem }, ...inside];
}

function toWords(
  { keyword, params, message = 'is not allowed', data }: ErrorObject,
  patternWords: PatternWords,
): string {
  switch (keyword) {
    case 'type':
      return `is not ${[params.type].flat().map(withArticle).join(' or ')}`;
    case 'enum':
      return notOneOf(data, (params.allowedValues as unknown[]).map(String));
    case 'const':
      return `is not ${JSON.stringify(params.allowedValue)}`;
    case 'pattern':
      return patternWords[String(params.pattern)] ?? `does not match ${String(params.pattern)}`;
    default:
      return message;
  }
}

function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
