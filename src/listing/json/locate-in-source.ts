/** From a violation's loc back to the characters of the file it is about. */
import { parse } from '@humanwhocodes/momoa';
import type { Loc } from '../rules/violation.ts';
import { placeAt, type TextPlace } from './text-place.ts';

type DocumentNode = ReturnType<typeof parse>;
type ValueNode = DocumentNode['body'];

/** Source and its parsed form, so that many violations of one file cost one parse. */
let lastParsed: { readonly text: string; readonly document: DocumentNode } | undefined;

/**
 * The place of the value a loc points at; of a loc that ends with `"[key]"`, the key; of an absent property, the opening
 * bracket of the object it is missing from. Of duplicate keys the last is meant, as in `JSON.parse`.
 *
 * @param text - JSON that parses, without byte order mark.
 * @param loc - With its leading `"body"`.
 * @returns null when the text has no such place.
 */
export function locateInSource(text: string, loc: Loc): TextPlace | null {
  let node: ValueNode | null = parseOnce(text)?.body ?? null;
  if (node === null) return null;
  const steps = loc.slice(1);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if (step === '[key]' && isLast && index > 0 && memberOf(node, step) === null) {
      return keyPlace(text, loc.slice(0, -1));
    }
    const child = childOf(node, step);
    if (child === null) return isLast && node.type === 'Object' ? placeAt(text, node.range![0], 1) : null;
    node = child;
  }
  return placeAt(text, node.range![0], node.range![1] - node.range![0]);
}

function keyPlace(text: string, loc: Loc): TextPlace | null {
  let node: ValueNode | null = parseOnce(text)?.body ?? null;
  for (const step of loc.slice(1, -1)) node = node === null ? null : childOf(node, step);
  const member = node === null ? null : memberOf(node, loc.at(-1)!);
  return member === null
    ? null
    : placeAt(text, member.name.range![0], member.name.range![1] - member.name.range![0]);
}

function childOf(node: ValueNode, step: string | number): ValueNode | null {
  if (node.type === 'Array') return typeof step === 'number' ? (node.elements[step]?.value ?? null) : null;
  return memberOf(node, step)?.value ?? null;
}

function memberOf(node: ValueNode, name: string | number) {
  if (node.type !== 'Object') return null;
  return (
    node.members.findLast(
      (member) => (member.name.type === 'String' ? member.name.value : member.name.name) === name,
    ) ?? null
  );
}

function parseOnce(text: string): DocumentNode | null {
  if (lastParsed?.text === text) return lastParsed.document;
  try {
    lastParsed = { text, document: parse(text, { mode: 'json', ranges: true }) };
    return lastParsed.document;
  } catch {
    // Not JSON: there is no place to point at, and saying why is the parser's task.
    return null;
  }
}
