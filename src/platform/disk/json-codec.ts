/** The type of JSON values, and codecs that convert typed values to JSON and back, with checks both ways. */

/** A value that survives `JSON.stringify` and `JSON.parse` unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** The value after writing and reading it as JSON, or undefined if JSON cannot represent it. */
export function toJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A decoded value, or the paths of its missing or wrong fields, such as `options.quality`. */
export type Decoded<T> = { readonly value: T } | { readonly problems: readonly string[] };

export interface Codec<T> {
  /** @throws TypeError if the value could not be decoded again. */
  encode(value: T): JsonValue;
  decode(json: JsonValue): Decoded<T>;
}

/** Makes a codec for values that are plain JSON. `encode` refuses every value that `decode` refuses. */
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
