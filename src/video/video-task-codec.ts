/** How the store keeps a video task: payload and outcome as JSON, read back against their schemas. No I/O. */
import path from 'node:path';
import type { DroppedAsset } from '../design/photo.ts';
import { compileSchema, type SchemaError, type SchemaValidator } from '../listing/rules/compile-schema.ts';
import { validateListing } from '../listing/rules/validate-listing.ts';
import { type Codec, createCodec, type JsonValue } from '../platform/disk/json-codec.ts';
import type { VideoTaskOutcome, VideoTaskPayload } from './video-task.ts';
import { OUTCOME_SCHEMA, PAYLOAD_SCHEMA } from './video-task-schema.ts';

// Compiled when first used: most commands read no payload.
let payloadValidator: SchemaValidator | undefined;
let outcomeValidator: SchemaValidator<VideoTaskOutcome> | undefined;

export const VIDEO_TASK_CODEC: {
  readonly payload: Codec<VideoTaskPayload>;
  readonly outcome: Codec<VideoTaskOutcome>;
} = {
  payload: createCodec((json) => {
    const problems = payloadProblems(json);
    return isPayload(json, problems) ? { value: json } : { problems };
  }),
  outcome: createCodec((json) => ({ value: readOutcome(json) })),
};

export function readDroppedAssets(json: JsonValue | undefined): readonly DroppedAsset[] {
  return readOutcome({ dropped_assets: json }).dropped_assets;
}

function isPayload(_: JsonValue, problems: readonly string[]): _ is JsonValue & VideoTaskPayload {
  return problems.length === 0;
}

/** Places that are missing or of the wrong kind, own fields before the listing's. */
function payloadProblems(json: JsonValue): string[] {
  payloadValidator ??= compileSchema('task-payload', PAYLOAD_SCHEMA, { 'absolute-path': path.isAbsolute });
  const errors = errorsOf(payloadValidator, json);
  const { listing, baseDir } = fieldsOf(json);
  const result = validateListing(listing, { allowLocalFiles: baseDir !== null });
  const violations = result.ok ? [] : result.violations;
  return [
    ...new Set(errors.flatMap(placesOf)),
    ...violations.map(({ loc }) => ['listing', ...loc.slice(1)].join('.')),
  ];
}

/** A field, or a field of the options; for a missing object, all fields that it must have. */
function placesOf({ keyword, instancePath, params, parentSchema }: SchemaError): string[] {
  const steps = instancePath.split('/').slice(1, 3);
  if (keyword === 'required') return [[...steps, String(params.missingProperty)].join('.')];
  const required: unknown = keyword === 'type' ? parentSchema?.required : undefined;
  return Array.isArray(required) ? required.map((name) => [...steps, name].join('.')) : [steps.join('.')];
}

/** An outcome without the entries that are none: one bad entry in an edited file does not hide the others. */
function readOutcome(json: JsonValue): VideoTaskOutcome {
  outcomeValidator ??= compileSchema<VideoTaskOutcome>('task-outcome', OUTCOME_SCHEMA, {});
  if (outcomeValidator(json)) return json;
  const damaged = new Set(
    errorsOf(outcomeValidator, json).map(({ instancePath }) => instancePath.split('/').slice(1, 3).join('/')),
  );
  const fields = fieldsOf(json);
  const entriesOf = (name: string): JsonValue[] => {
    const list = fields[name];
    return Array.isArray(list) ? list.filter((_, index) => !damaged.has(`${name}/${index}`)) : [];
  };
  const readable: unknown = {
    results: entriesOf('results'),
    ...(fields.also_ratio === undefined ? {} : { also_ratio: entriesOf('also_ratio') }),
    ...(fields.also_for === undefined ? {} : { also_for: entriesOf('also_for') }),
    ...(fields.unbranded === undefined ? {} : { unbranded: entriesOf('unbranded') }),
    dropped_assets: entriesOf('dropped_assets'),
    ...(fields.warnings === undefined ? {} : { warnings: entriesOf('warnings') }),
    report: typeof fields.report === 'string' ? fields.report : null,
  };
  return outcomeValidator(readable) ? readable : { results: [], dropped_assets: [], report: null };
}

function errorsOf(validate: SchemaValidator, json: JsonValue): readonly SchemaError[] {
  const errors = validate(json) ? [] : (validate.errors ?? []);
  // The compiled function would keep the last errors, and with them the last value, alive.
  validate.errors = null;
  return errors;
}

type Fields = { readonly [key: string]: JsonValue | undefined };

function fieldsOf(json: JsonValue): Fields {
  return isFields(json) ? json : {};
}

function isFields(json: JsonValue): json is Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
