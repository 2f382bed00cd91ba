/** Values kept as JSON: what JSON can hold, and codecs that give it a type again, checked both ways. */

/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** The value as it would come back from JSON, or undefined when it cannot be written as JSON. */
export function toJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value read back, or the places in it that are missing or of the wrong kind, such as `options.quality`. */
export type Decoded<T> = { readonly value: T } | { readonly problems: readonly string[] };

/** How one kind of value is kept as JSON. */
export interface Codec<T> {
  /** @throws TypeError when the value would not come back. */
  encode(value: T): JsonValue;
  decode(json: JsonValue): Decoded<T>;
}

/** A codec of values that are JSON already: `encode` refuses what `decode` would refuse. */
export function createCodec<T>(decode: Codec<T>['decode']): Codec<T> {
  return {
    decode,
    encode(value) {
      const json = toJson(value);
      if (json === undefined) throw new TypeError('the value cannot be written as JSON');
      const decoded = decode(json);
      if ('problems' in decoded)
        throw new TypeError(`the value is not valid: ${decoded.problems.join(', ')}`);
      return json;
    },
  };
}
