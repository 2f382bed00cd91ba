/** Checks an answer against our OpenAPI document: its status must be declared, its body must fit the schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createApiDocument } from '../../../src/api/server/openapi/api-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes, walked by its own references.
type AnyJson = any;

export const apiDocument: AnyJson = createApiDocument('http://localhost');

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...apiDocument, $id: 'api' });

/** `POST /v1/tasks 202` of every answer that was checked in this process. */
export const reached = new Set<string>();

/** An answer as the test read it. */
export interface CheckedAnswer {
  readonly method: string;
  readonly pathname: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Every `METHOD path status` that the document declares. */
export function declaredAnswers(): string[] {
  return Object.entries(apiDocument.paths as AnyJson).flatMap(([path, item]) =>
    Object.entries(item as AnyJson).flatMap(([method, operation]) =>
      Object.keys((operation as AnyJson).responses).map(
        (status) => `${method.toUpperCase()} ${path} ${status}`,
      ),
    ),
  );
}

/** @throws an Error that says what does not fit. */
export function checkAnswer(answer: CheckedAnswer): void {
  const { method, status, headers, text } = answer;
  const path = templateOf(answer.pathname);
  if (path === null) return;
  // HEAD is GET without a body (RFC 9110, 9.3.2); any method of a path that has no such operation is its 405.
  const item = apiDocument.paths[path];
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operations: AnyJson[] = item[name] ? [item[name]] : Object.values(item);
  const label = `${method} ${path} ${status}`;
  for (const operation of operations) {
    const declared = operation.responses[status];
    if (declared === undefined) throw new Error(`${label} is not declared`);
    const response = resolve(declared);
    for (const header of Object.keys(response.headers ?? {})) {
      const isOptional =
        ['service-beta', 'Idempotent-Replayed', 'Retry-After'].includes(header) &&
        ![429, 503].includes(status);
      if (!isOptional && !headers.has(header)) throw new Error(`${label} lacks the header ${header}`);
    }
    if (method === 'HEAD' || response.content === undefined) {
      if (text !== '') throw new Error(`${label} has a body`);
      continue;
    }
    const [[type, { schema }]] = Object.entries<AnyJson>(response.content) as [[string, AnyJson]];
    if (headers.get('content-type') !== type) throw new Error(`${label} is not ${type}`);
    if (type !== 'application/json') continue;
    const validate = validatorOf(schema);
    if (!validate(JSON.parse(text))) throw new Error(`${label}: ${ajv.errorsText(validate.errors)}\n${text}`);
  }
  for (const each of item[name] ? [name] : Object.keys(item)) {
    reached.add(`${each.toUpperCase()} ${path} ${status}`);
  }
}

/** @throws an Error that says what does not fit the schema of this name. */
export function checkValue(name: string, value: unknown): void {
  const validate = validatorOf({ $ref: `#/components/schemas/${name}` });
  if (!validate(value)) throw new Error(`${name}: ${ajv.errorsText(validate.errors)}`);
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: AnyJson): ValidateFunction {
  const name = JSON.stringify(schema);
  const known = validators.get(name) ?? ajv.compile({ $ref: schema.$ref.replace('#', 'api#') });
  validators.set(name, known);
  return known;
}

function resolve(node: AnyJson): AnyJson {
  if (node.$ref === undefined) return node;
  return node.$ref
    .replace('#/', '')
    .split('/')
    .reduce((value: AnyJson, step: string) => value[step], apiDocument);
}

function templateOf(pathname: string): string | null {
  return (
    Object.keys(apiDocument.paths).find((path) =>
      new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
    ) ?? null
  );
}
