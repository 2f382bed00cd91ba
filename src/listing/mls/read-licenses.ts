/** The licenses of an agent, each with the state that granted it. */
import type { License } from '../listing.ts';
import { parseLicense } from '../words/license-words.ts';
import { stateCode, US_STATES } from '../words/us-states.ts';
import { type Found, type Lookup, look } from './agent-lookup.ts';
import type { FindingsCollector } from './findings.ts';
import { type MlsRecord, recordsOf, textOf } from './mls-record.ts';

const MAX_NUMBER_LENGTH = 100;
const MAX_STATE_LENGTH = 64;

/** A license without its state gets the one that a person said, else that of the property, with a note. */
export function readLicenses(
  lookup: Lookup,
  record: MlsRecord,
  givenState: string | null,
  place: string,
  findings: FindingsCollector,
): License[] {
  const listed = [
    ...recordsOf(lookup.own, 'MemberStateLicenses'),
    ...recordsOf(record, `${lookup.prefix}StateLicenses`),
  ];
  const licenses: License[] = [];
  const add = (text: string, ownState: string | null, source: string): void => {
    const named = ownState === null ? namedState(text) : null;
    const [number, state] = [named?.number ?? text, ownState ?? named?.state ?? null];
    const isKnown = licenses.some((each) => each.number === number);
    if (isKnown) return;
    const usual = state === null && givenState === null ? textOf(record, 'StateOrProvince') : null;
    const place = state ?? givenState ?? (usual === null ? null : stateCode(usual));
    if (usual !== null)
      findings.note(
        `a license without a state got that of the property, ${place}: --license-state names another`,
      );
    if (place === null)
      findings.leaveOut(source, 'its state is missing: --license-state OR gives it to all such licenses');
    else if (number.length > MAX_NUMBER_LENGTH || place.length > MAX_STATE_LENGTH)
      findings.leaveOut(
        source,
        `a license has at most ${MAX_NUMBER_LENGTH} characters, a state ${MAX_STATE_LENGTH}`,
      );
    else licenses.push({ number, state: place });
  };
  for (const each of listed) {
    const number = textOf(each, 'MemberStateLicense') ?? textOf(each, 'StateLicense');
    const state = textOf(each, 'MemberStateLicenseState') ?? textOf(each, 'StateLicenseState');
    if (number !== null) add(number, state, 'MemberStateLicenses');
  }
  const single = look(lookup, 'StateLicense');
  if (single !== null) add(single.text, stateOf(single, lookup), single.field);
  if (single === null && listed.length === 0)
    findings.missing(`${place}.licenses`, `${lookup.prefix}StateLicense`);
  if (licenses.length > 0) findings.from(`${place}.licenses`, single?.field ?? 'MemberStateLicenses');
  return licenses;
}

/** `CO 12345` names its state. Letters that are no state are part of the number. */
function namedState(text: string): License | null {
  const license = parseLicense(text, null);
  return US_STATES.some(({ code }) => code === license?.state) ? license : null;
}

/** The state of another license of the agent would be wrong. */
function stateOf({ text }: Found, lookup: Lookup): string | null {
  const own = textOf(lookup.own, `${lookup.ownPrefix}StateLicense`);
  const isSame = own === null || own === text;
  return (
    textOf(lookup.flat, `${lookup.prefix}StateLicenseState`) ??
    (isSame ? textOf(lookup.own, `${lookup.ownPrefix}StateLicenseState`) : null)
  );
}
