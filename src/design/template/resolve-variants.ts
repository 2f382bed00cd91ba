/** The variants of a scene in full: blocks and `like` put in, changes applied, every element with all its fields. */
import { defaultElement, defaultItem, elementId } from './default-names.ts';
import { asList, asRecord, type Json, presetsOf, toRecord } from './format/value.ts';
import { resolveAnimations } from './resolve-animation.ts';
import { RATIOS, VARIANT } from './template.ts';

/** @param problem - Continues the path: `is missing`. */
export type Report = (path: string, problem: string) => void;

export interface Scope {
  /** As written, by role. */
  readonly scenes: Json;
  readonly scenesPath: string;
  readonly blocks: Json;
  /** Names of the blocks that are being put in, so that one that uses itself is found. */
  readonly openBlocks: readonly string[];
  readonly blockPaths: Readonly<Record<string, string>>;
  /** The template's own defaults, by type of element. */
  readonly defaults: Readonly<Record<string, Json>>;
  /** The defaults of the format, by type of element. */
  readonly presets: Readonly<Record<string, Json>>;
  readonly motions: Json;
  readonly origins: WeakMap<object, string>;
  readonly report: Report;
}

const MAX_LIKE_DEPTH = 8;

/** @param variants - Those of `role`, as written. */
export function resolveVariants(variants: readonly unknown[], role: string, scope: Scope): Json[] {
  return variants.map((value, index) => {
    const variant = toRecord(value);
    const { like: _, set: __, elements: ___, ...own } = variant;
    const { fields, elements } = expandVariant(variant, { role, variants, index }, scope, 0);
    return {
      ...presetsOf(VARIANT, RATIOS[0]),
      ...fields,
      ...own,
      elements: elements.map((element) => completeElement(element, scope)),
    };
  });
}

interface RawElement {
  readonly element: Json;
  readonly origin: string;
}

interface VariantPlace {
  readonly role: string;
  /** All variants of the role, as written. */
  readonly variants: readonly unknown[];
  readonly index: number;
}

/** Elements of a variant, after those of the variant it is like. */
function expandVariant(
  variant: Json,
  { role, variants, index }: VariantPlace,
  scope: Scope,
  depth: number,
): { fields: Json; elements: RawElement[] } {
  const path = `${scope.scenesPath}.${role}[${index}]`;
  const set = toRecord(variant.set);
  const own = asList(variant.elements).flatMap((element, at) =>
    expandElement(element, `${path}.elements[${at}]`, scope),
  );
  if (variant.like === undefined) return { fields: {}, elements: applySet(own, set, path, scope) };
  const like = String(variant.like);
  const [otherRole, name] = like.includes('/') ? (like.split('/') as [string, string]) : [role, like];
  const others = like.includes('/') ? asList(scope.scenes[otherRole]) : variants;
  const otherIndex = others.findIndex(
    (candidate) => candidate !== variant && toRecord(candidate).name === name,
  );
  if (otherIndex < 0 || depth > MAX_LIKE_DEPTH) {
    scope.report(`${path}.like`, `does not name another variant: "${like}"`);
    return { fields: {}, elements: own };
  }
  const other = toRecord(others[otherIndex]);
  const place = { role: otherRole, variants: others, index: otherIndex };
  const base = expandVariant(other, place, scope, depth + 1);
  const { name: _, like: __, set: ___, elements: ____, when: _____, turn: ______, ...fields } = other;
  const changed = applySet(base.elements, set, path, scope);
  return { fields: { ...base.fields, ...fields }, elements: [...changed, ...own] };
}

/** A name of a block, a block with changes (`use`), or an element; `photos` becomes one element per box. */
function expandElement(raw: unknown, origin: string, scope: Scope): RawElement[] {
  const element = toRecord(raw);
  const use = typeof raw === 'string' ? raw : element.use;
  if (typeof use === 'string') return expandBlock(use, element, origin, scope);
  if (element.type !== 'photos')
    return [{ element: { ...scope.defaults[String(element.type)], ...element }, origin }];
  const { boxes, type: _, ...rest } = element;
  return asList(boxes).map((box, index) => ({
    element: { ...scope.defaults.photo, ...rest, type: 'photo', id: `photo-${index + 1}`, photo: index, box },
    origin,
  }));
}

function expandBlock(name: string, changes: Json, origin: string, scope: Scope): RawElement[] {
  const exists = Object.hasOwn(scope.blocks, name);
  if (!exists || scope.openBlocks.includes(name)) {
    scope.report(origin, `names a block that ${exists ? 'uses itself' : 'does not exist'}: "${name}"`);
    return [];
  }
  const block = scope.blocks[name];
  const path = scope.blockPaths[name]!;
  const inner = { ...scope, openBlocks: [...scope.openBlocks, name] };
  const parts = Array.isArray(block)
    ? block.flatMap((part, index) => expandElement(part, `${path}[${index}]`, inner))
    : expandElement(block, path, inner);
  const { use: _, set, ...own } = changes;
  return applySet(parts, toRecord(set), origin, scope).map((part) => ({
    element: mergeElement(part.element, own),
    origin: part.origin,
  }));
}

/** Changes by element id; `null` removes the element. */
function applySet(elements: readonly RawElement[], set: Json, path: string, scope: Scope): RawElement[] {
  const unused = new Set(Object.keys(set));
  const changed = elements.flatMap((raw) => {
    const id = elementId(raw.element) ?? '';
    if (!Object.hasOwn(set, id)) return [raw];
    unused.delete(id);
    return set[id] === null ? [] : [{ ...raw, element: mergeElement(raw.element, toRecord(set[id])) }];
  });
  for (const id of unused)
    scope.report(`${path}.set.${id}`, 'changes an element that the variant does not have');
  return changed;
}

/** Fields replace fields; `items` can be changed by id. `null` removes a field. */
function mergeElement(element: Json, changes: Json): Json {
  const merged: Record<string, unknown> = { ...element };
  for (const [key, value] of Object.entries(changes)) {
    const before = merged[key];
    const byId = key === 'items' && Array.isArray(before) ? asRecord(value) : undefined;
    if (value === null) delete merged[key];
    else if (byId === undefined) merged[key] = value;
    else {
      merged[key] = (before as unknown[]).flatMap((item) => {
        const id = String(defaultItem(toRecord(item), 'stack').id);
        if (!Object.hasOwn(byId, id)) return [item];
        return byId[id] === null ? [] : [mergeElement(toRecord(item), toRecord(byId[id]))];
      });
    }
  }
  return merged;
}

function completeElement({ element: raw, origin }: RawElement, scope: Scope): Json {
  const type = String(raw.type);
  const full: Record<string, unknown> = { ...scope.presets[type], ...defaultElement(raw) };
  if (Array.isArray(full.items)) full.items = full.items.map((item) => defaultItem(toRecord(item), type));
  const element = resolveMotion(full, origin, scope);
  scope.origins.set(element, origin);
  return element;
}

const MOTION_KEY = /^(enter|exit|[a-z]+Enter)$/;

/** A copy with every `enter`, `exit` and `…Enter` in full, however deep. */
function resolveMotion(fields: Json, path: string, scope: Scope): Json {
  const full: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    if (MOTION_KEY.test(key)) {
      const report = (problem: string) => scope.report(`${path}.${key}`, problem);
      full[key] = resolveAnimations(value, key === 'exit' ? 'exit' : 'enter', scope.motions, report);
    } else if (Array.isArray(value)) full[key] = resolveMotions(value, `${path}.${key}`, scope);
    else if (asRecord(value)) full[key] = resolveMotion(value as Json, `${path}.${key}`, scope);
    else full[key] = value;
  }
  return full;
}

function resolveMotions(list: readonly unknown[], path: string, scope: Scope): readonly unknown[] {
  return list.map((item, index) => {
    const at = `${path}[${index}]`;
    if (Array.isArray(item)) return resolveMotions(item, at, scope);
    return asRecord(item) ? resolveMotion(item as Json, at, scope) : item;
  });
}
