/** What breaks the rules of a listing, and what is probably a slip, each at its field. Pure. */
import type { Phone, Violation } from '../listing/listing.ts';
import { explainViolation } from '../listing/rules/explain-violation.ts';
import { findUnknownProperties } from '../listing/rules/unknown-properties.ts';
import { validateListing } from '../listing/rules/validate-listing.ts';
import { readPhone } from '../listing/words/phone.ts';
import type { ListingDocument } from './document/apply-edit.ts';
import type { ListingPath, StudioViolation, StudioWarning } from './protocol.ts';

export function findViolations(document: ListingDocument): StudioViolation[] {
  const validation = validateListing(document, { allowLocalFiles: true });
  if (validation.ok) return [];
  return validation.violations.map((violation) => ({
    path: pathOf(violation),
    message: explainViolation(violation),
  }));
}

/** Of the document alone; those of plans come from the stage. */
export function findWarnings(document: ListingDocument): StudioWarning[] {
  const unknown = findUnknownProperties(document).map((warning) => ({
    path: pathOf(warning),
    message: warning.message,
  }));
  const agents = Array.isArray(document.agents) ? document.agents : [];
  const ofAgents = agents.flatMap((agent: unknown, index) => agentWarnings(agent, ['agents', index]));
  return [...unknown, ...ofAgents].map((warning) => ({ agent_id: null, ratio: null, ...warning }));
}

/** One warning in place of those that say the same of one field for several agents; it names no agent. */
export function joinWarnings(warnings: readonly StudioWarning[]): StudioWarning[] {
  const joined = new Map<string, StudioWarning>();
  for (const [index, warning] of warnings.entries()) {
    const { path, ratio, message, agent_id: agent } = warning;
    const key = JSON.stringify(path === null ? index : [path, ratio, message]);
    const known = joined.get(key);
    joined.set(
      key,
      known === undefined || known.agent_id === agent ? warning : { ...warning, agent_id: null },
    );
  }
  return [...joined.values()];
}

function pathOf({ loc }: Pick<Violation, 'loc'>): ListingPath {
  return loc.slice(1);
}

type Found = Pick<StudioWarning, 'path' | 'message'>;

function agentWarnings(agent: unknown, path: ListingPath): Found[] {
  const { first_name: first, last_name: last, phones, offices } = toObject(agent);
  const found: Found[] = [];
  if (first === '' && last === '')
    found.push({ path: [...path, 'first_name'], message: 'the agent has no name yet' });
  for (const [index, phone] of toList(phones).entries())
    found.push(...phoneWarnings(phone, [...path, 'phones', index]));
  for (const [index, office] of toList(offices).entries())
    found.push(...phoneWarnings(toObject(office).phone_number, [...path, 'offices', index, 'phone_number']));
  return found;
}

function phoneWarnings(phone: unknown, path: ListingPath): Found[] {
  const { number, region } = toObject(phone);
  if (typeof number !== 'string' || number.trim() === '') return [];
  const read: Phone = { number, region: typeof region === 'string' ? region : null };
  if (readPhone(read) !== null) return [];
  return [
    { path: [...path, 'number'], message: 'no phone network has this number: the video leaves it out' },
  ];
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
