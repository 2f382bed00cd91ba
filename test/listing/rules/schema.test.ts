import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type JsonSchema, LISTING_SCHEMA, listingFileSchema } from '../../../src/listing/rules/schema.ts';
import { validateListing } from '../../../src/listing/rules/validate-listing.ts';
import { childSchema, knownProperties } from '../../../src/listing/rules/walk-schema.ts';
import { aFullListing, type Json, withValue } from '../a-listing.ts';

/** Every schema within a schema, with its place. */
function* schemasIn(schema: JsonSchema, place = '#'): Generator<[string, JsonSchema]> {
  yield [place, schema];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' || keyword === '$defs') {
      for (const [name, child] of Object.entries(value as JsonSchema)) {
        yield* schemasIn(child as JsonSchema, `${place}/${keyword}/${name}`);
      }
    }
    if (['items', 'additionalProperties', 'propertyNames'].includes(keyword)) {
      yield* schemasIn(value as JsonSchema, `${place}/${keyword}`);
    }
  }
}

const ALL = [...schemasIn(LISTING_SCHEMA)];

describe('the listing schema', () => {
  it('is a schema of draft 2020-12 and plain JSON', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true });
    expect(ajv.validateSchema(LISTING_SCHEMA)).toBe(true);
    expect(LISTING_SCHEMA.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(JSON.parse(JSON.stringify(LISTING_SCHEMA))).toEqual(LISTING_SCHEMA);
  });

  it('cannot be changed by an importer', () => {
    for (const [place, schema] of ALL) expect(Object.isFrozen(schema), place).toBe(true);
  });

  it('uses only keywords that have a violation, or that have no effect on validity', () => {
    const checked = [
      'type',
      'enum',
      'required',
      'minItems',
      'maxItems',
      'maxProperties',
      'minLength',
      'maxLength',
      'minimum',
      'maximum',
      'format',
      'pattern',
    ];
    const structure = [
      '$schema',
      '$id',
      '$ref',
      '$defs',
      'properties',
      'items',
      'additionalProperties',
      'propertyNames',
    ];
    const words = ['title', 'description', 'examples', 'default'];
    const used = new Set(ALL.flatMap(([, schema]) => Object.keys(schema)));
    expect([...used].filter((keyword) => ![...checked, ...structure, ...words].includes(keyword))).toEqual(
      [],
    );
  });

  it('gives every property a title, a description and, where it is a scalar, an example', () => {
    for (const [place, schema] of ALL) {
      if (!/\/properties\/[^/]+$/.test(place) || '$ref' in schema) continue;
      expect(schema.title, place).toMatch(/^\p{Lu}/u);
      expect(schema.description, place).toMatch(/[.”]$/u);
      const isScalar =
        !['object', 'array'].some((kind) => [schema.type].flat().includes(kind)) &&
        !place.endsWith('$schema');
      if (isScalar) expect((schema.examples as unknown[]).length, place).toBeGreaterThan(0);
    }
  });

  it('has examples and defaults that obey it', () => {
    for (const [place, schema] of ALL) {
      const values = [
        ...((schema.examples as unknown[] | undefined) ?? []),
        ...('default' in schema ? [schema.default] : []),
      ];
      const path = examplePath(place);
      for (const value of values) {
        const listing = path.length === 0 ? value : withValue(aFullListing(), path, value);
        expect(
          validateListing(listing, { allowLocalFiles: false }).ok,
          `${place}: ${JSON.stringify(value)}`,
        ).toBe(true);
      }
    }
  });

  it('names every property of the types, and no other', () => {
    const names = (schema: JsonSchema) => [...(knownProperties(schema) ?? [])].sort();
    const full = aFullListing();
    const compare = (value: Json, schema: JsonSchema, place: string): void => {
      if (Array.isArray(value)) {
        compare(value[0], childSchema(schema, 0)!, `${place}[0]`);
        return;
      }
      if (typeof value !== 'object' || knownProperties(schema) === null) return;
      expect(
        names(schema).filter((name) => name !== '$schema'),
        place,
      ).toEqual(Object.keys(value).sort());
      for (const [key, child] of Object.entries(value)) {
        const schemaOfChild = childSchema(schema, key);
        if (schemaOfChild !== null) compare(child, schemaOfChild, `${place}.${key}`);
      }
    };
    compare(full, LISTING_SCHEMA, 'listing');
    expect(names(LISTING_SCHEMA)).toContain('$schema');
  });

  it('resolves its references inside any other document', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile({
      components: { schemas: { Listing: LISTING_SCHEMA } },
      $ref: LISTING_SCHEMA.$id,
    });
    expect(validate(aFullListing())).toBe(true);
    expect(validate(withValue(aFullListing(), ['agents', 0, 'phones', 0, 'number'], 3))).toBe(false);
  });

  it('lets editors accept paths and licenses without a state in the variant for files, and differs in nothing else', () => {
    const text = JSON.stringify(listingFileSchema());
    expect(text).not.toContain('"uri"');
    const other = JSON.parse(text.replaceAll('"uri-reference"', '"uri"'));
    expect(other.$defs.License.required).toEqual(['number']);
    other.$defs.License.required = ['number', 'state'];
    expect(other).toEqual(LISTING_SCHEMA);
  });

  it('is published by the build as a file for editors that says the same', () => {
    const published = readFileSync(
      new URL('../../../dist/listing/listing.schema.json', import.meta.url),
      'utf8',
    );
    expect(JSON.parse(published)).toEqual(listingFileSchema());
  });
});

/** The path of a value in the full listing that the schema at this place describes. */
function examplePath(place: string): (string | number)[] {
  const [, definition, ...steps] = /^#(?:\/\$defs\/(\w+))?(.*)$/.exec(place)!;
  const roots: Record<string, (string | number)[]> = {
    Asset: ['assets', 0],
    Focus: ['assets', 0, 'focus'],
    Agent: ['agents', 0],
    Address: ['address'],
    Phone: ['agents', 0, 'phones', 0],
    Email: ['agents', 0, 'emails', 0],
    License: ['agents', 0, 'licenses', 0],
    Office: ['agents', 0, 'offices', 0],
    VideoOptions: ['agents', 0, 'video_options'],
  };
  const inner = (steps[0] ?? '').split('/').filter((step) => step !== '' && step !== 'properties');
  return [...(definition === undefined ? [] : roots[definition]!), ...inner];
}
