/**
 * How the template format is declared: each value once, as JSON Schema, as a type, and with its default. Pure.
 *
 * TypeBox, Zod and Valibot can do this too, but every run of `create` needs the defaults, and they cost 80, 78 and 13
 * ms of CPU to load; this file costs under 1 ms.
 */
import type { AspectRatio } from '../../../listing/listing.ts';

/** An object of parsed JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Undefined for anything but an object. */
export function asRecord(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Empty for anything but an object. */
export function toRecord(value: unknown): Json {
  return asRecord(value) ?? {};
}

/** Empty for anything but a list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * When a value is there.
 *
 * - `optional`: it can be absent, in the file and in the resolved template
 * - `required`: the file must give it
 * - `needed`: the file can leave it to a block or to `defaults`, but the resolved element must have it
 * - `derived`: the program fills it from other values, such as a style from an id
 * - `preset`: it has a default
 */
type Presence = 'optional' | 'required' | 'needed' | 'derived' | 'preset';

/** One value of the format. Values are immutable: each method returns another one. */
export class Value<T, P extends Presence = 'optional'> {
  /** Type only: the value in a resolved template. */
  declare readonly drawn: T;
  /** Can hold further values. */
  readonly schema: Json;
  readonly presence: Presence;
  /** Type only: {@link presence}, exactly. */
  declare readonly when: P;
  readonly preset: Readonly<Record<AspectRatio, T>> | undefined;
  /** The schema behind a `$ref`. */
  readonly definition: { readonly name: string; readonly schema: Json } | undefined;

  constructor(schema: Json, from: Partial<Pick<Value<T>, 'presence' | 'preset' | 'definition'>> = {}) {
    this.schema = schema;
    this.presence = from.presence ?? 'optional';
    this.preset = from.preset;
    this.definition = from.definition;
  }

  required(): Value<T, 'required'> {
    return new Value(this.schema, { ...this, presence: 'required' });
  }

  needed(): Value<T, 'needed'> {
    return new Value(this.schema, { ...this, presence: 'needed' });
  }

  derived(): Value<T, 'derived'> {
    return new Value(this.schema, { ...this, presence: 'derived' });
  }

  /** @param portrait - The default in 9:16, where it is another. */
  filled(value: T, portrait: T = value): Value<T, 'preset'> {
    const note = `Default ${value}, in 9:16 ${portrait}.`;
    const description = [this.schema.description, note].filter(Boolean).join(' ');
    const schema = { ...this.schema, ...(value === portrait ? { default: value } : { description }) };
    const preset = { '1920:1080': value, '1080:1920': portrait };
    return new Value<T, 'preset'>(schema, { ...this, presence: 'preset', preset });
  }

  /** @param description - Shown by editors. */
  about(description: string): Value<T, P> {
    return new Value<T, P>({ ...this.schema, description }, this);
  }

  /** Written once in the schema, under `$defs`, and referred to by name. */
  named(name: string): Value<T> {
    return new Value<T>({ $ref: `#/$defs/${name}` }, { definition: { name, schema: this.schema } });
  }
}

export type Fields = Readonly<Record<string, Value<unknown, Presence>>>;

/** An object type that shows its fields, not how it was made. */
export type Flat<T> = { [K in keyof T]: T[K] };

export type Drawn<F extends Fields> = Flat<
  {
    readonly [K in keyof F as F[K]['when'] extends 'optional' ? never : K]: F[K]['drawn'];
  } & {
    readonly [K in keyof F as F[K]['when'] extends 'optional' ? K : never]?: F[K]['drawn'];
  }
>;

/** @param limits - Further keywords of JSON Schema: `minimum`, `pattern` and so on. */
const plain =
  <T>(type: string) =>
  (description?: string, limits: Json = {}): Value<T> =>
    new Value<T>({ type, ...limits, ...(description === undefined ? {} : { description }) });

export const text = plain<string>('string');
export const number = plain<number>('number');
export const integer = plain<number>('integer');
export const flag = plain<boolean>('boolean');

export function oneOf<const V extends readonly (string | number)[]>(...values: V): Value<V[number]> {
  return new Value({ enum: values });
}

/** One of some words, each with what it does. */
export function choice<const C extends Readonly<Record<string, string>>>(cases: C): Value<keyof C & string> {
  const lines = Object.entries(cases).map(([word, does]) => `${word}: ${does}.`);
  return new Value({ enum: Object.keys(cases), description: lines.join(' ') });
}

/** One of several forms. `T` is what the program draws, whichever form is written. */
export function anyOf<T>(...values: readonly Value<unknown>[]): Value<T> {
  return new Value({ anyOf: values });
}

export function orNull<T>(value: Value<T>): Value<T | null> {
  const { schema } = value;
  const isPlain = typeof schema.type === 'string' && schema.type !== 'object';
  return new Value(
    isPlain ? { ...schema, type: [schema.type, 'null'] } : { anyOf: [value, { type: 'null' }] },
  );
}

/** @param limits - Further keywords of JSON Schema, such as `minItems`. */
export function listOf<T>(items: Value<T>, limits: Json = {}): Value<readonly T[]> {
  return new Value({ type: 'array', items, ...limits });
}

export function numbers<T extends readonly number[]>(count: T['length']): Value<T> {
  return new Value({ type: 'array', items: number(), minItems: count, maxItems: count });
}

/** An object with these fields and no others. */
export function record<F extends Fields>(properties: F): Value<Drawn<F>> {
  const required = Object.keys(properties).filter((key) => properties[key]!.presence === 'required');
  const needs = required.length === 0 ? {} : { required };
  return new Value({ type: 'object', additionalProperties: false, ...needs, properties });
}

export function mapOf<T>(item: Value<T>): Value<Readonly<Record<string, T>>> {
  return new Value({ type: 'object', additionalProperties: item });
}

const presets = new WeakMap<Fields, Map<AspectRatio, Json>>();

/** The defaults among some fields, in their order; made once. */
export function presetsOf(fields: Fields, ratio: AspectRatio): Json {
  const known = presets.get(fields) ?? new Map<AspectRatio, Json>();
  presets.set(fields, known);
  const made: Record<string, unknown> = known.get(ratio) ?? {};
  if (!known.has(ratio)) {
    for (const key in fields) if (fields[key]!.preset !== undefined) made[key] = fields[key]!.preset[ratio];
    known.set(ratio, made);
  }
  return made;
}

/** The JSON Schema of a value: values in it become their schemas, and those with a name are in `$defs`. */
export function toJsonSchema(root: Value<unknown>): Json {
  const definitions: Record<string, unknown> = {};
  const visit = (part: unknown): unknown => {
    if (part instanceof Value) {
      const { definition } = part;
      if (definition !== undefined && !Object.hasOwn(definitions, definition.name)) {
        definitions[definition.name] = null;
        definitions[definition.name] = visit(definition.schema);
      }
      return visit(part.schema);
    }
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, visit(value)]));
  };
  return { ...(visit(root) as Json), $defs: definitions };
}
