/** The format of template files as one JSON Schema (draft 2020-12), made of the tables in `src/design/template`. */
import { COMMON_FIELDS, ELEMENTS } from '../../../src/design/template/elements.ts';
import { changes, motion } from '../../../src/design/template/format/parts.ts';
import {
  anyOf,
  type Fields,
  type Json,
  listOf,
  mapOf,
  oneOf,
  record,
  text,
  toJsonSchema,
  Value,
} from '../../../src/design/template/format/value.ts';
import {
  DESIGN,
  EXTRA_SCENE,
  PAIRING,
  PHOTO_COUNTS,
  RATIOS,
  SCENE_ROLES,
  TEMPLATE,
  TRANSITION_RULE,
  TRANSITIONS,
  VARIANT,
} from '../../../src/design/template/template.ts';

/** What `templates/template.schema.json` must hold. */
export function templateSchema(): Json {
  return toJsonSchema(template());
}

function template(): Value<unknown> {
  const elements = listOf(anyOf(text('A block.'), element())).named('elements');
  const shared = {
    ...DESIGN,
    motions: mapOf(motion).named('motions'),
    defaults: mapOf(new Value({ type: 'object' }))
      .about('Fields of all elements of a type.')
      .named('defaults'),
    blocks: mapOf(anyOf(element(), elements))
      .about('Elements, or lists of elements, to use by name.')
      .named('blocks'),
    transitions: listOf(transition(), { minItems: 1 }),
  };
  const variant = record({
    ...VARIANT,
    like: text(
      'A variant of the same role by name, or role/name: its elements with the changes of `set`, then the elements here.',
    ),
    set: changes,
    elements,
  }).named('variant');
  const variants = listOf(variant, { minItems: 1 });
  const ratio = record({
    ...shared,
    ...PHOTO_COUNTS,
    ...PAIRING,
    extras: listOf(record(EXTRA_SCENE)),
    scenes: record(Object.fromEntries(SCENE_ROLES.map((role) => [role, variants])))
      .named('scenes')
      .required(),
  }).named('ratio');
  const ratios = record(Object.fromEntries(RATIOS.map((name) => [name, ratio.required()]))).required();
  const { schema } = record({ ...TEMPLATE, ...shared, ratios });
  return new Value({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Template of listing-video',
    description:
      'A design as data. Sizes are px of a 1920x1080 or 1080x1920 frame, times are seconds. README.md beside this file is the guide.',
    ...schema,
  });
}

/** The fields of all kinds together: which kind takes which is in the descriptions. */
function transition(): Value<unknown> {
  const fields: Record<string, Fields[string]> = {
    ...TRANSITION_RULE,
    kind: oneOf(...Object.keys(TRANSITIONS)).required(),
  };
  const kindsOf: Record<string, string[]> = {};
  for (const [kind, own] of Object.entries(TRANSITIONS) as [string, Fields][]) {
    for (const [name, { schema, definition }] of Object.entries(own)) {
      const { default: preset, ...rest } = schema;
      kindsOf[name] = [...(kindsOf[name] ?? []), `${kind} ${JSON.stringify(preset)}`];
      fields[name] = new Value(rest, { definition });
    }
  }
  for (const [name, kinds] of Object.entries(kindsOf)) {
    const { description } = fields[name]!.schema;
    const defaults = `Defaults: ${kinds.join(', ')}.`;
    fields[name] = fields[name]!.about(description === undefined ? defaults : `${description} ${defaults}`);
  }
  return record(fields).named('transition');
}

/**
 * An element of any type, or `use` of a block. The type decides the fields, so that a fault is reported against that
 * type.
 */
function element(): Value<unknown> {
  const types = Object.keys(ELEMENTS);
  const cases = Object.entries(ELEMENTS).map(([type, { about, fields }]) => ({
    if: { required: ['type'], properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: record({ ...COMMON_FIELDS, type: new Value({ const: type }).required(), ...fields })
      .about(about)
      .named(`element-${type}`),
  }));
  return new Value({
    type: 'object',
    if: { required: ['use'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: use(),
    else: { required: ['type'], properties: { type: { enum: types } }, allOf: cases },
  }).named('element');
}

function use(): Value<unknown> {
  const names = Object.values(ELEMENTS).flatMap(({ fields }) => Object.keys(fields));
  return new Value({
    type: 'object',
    required: ['use'],
    properties: { use: text('A block, by name.'), set: changes },
    propertyNames: { enum: [...new Set(['use', 'set', ...Object.keys(COMMON_FIELDS), ...names])].sort() },
  })
    .about(
      'A block by name. The fields beside it replace those of each of its elements; `set` changes them by id.',
    )
    .named('use');
}
