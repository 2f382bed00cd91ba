/** The name of an agent in two parts, as a listing has it. */
import type { FindingsCollector } from './findings.ts';

type Look = (name: string) => { text: string; field: string } | null;

interface AgentName {
  readonly first: string;
  readonly last: string;
  readonly sources: readonly string[];
}

/**
 * Both parts where the record has them. Else the full name, with its last word as the last name; a video shows it as
 * it is written. A full name with a comma (`Lee, Ann` or `Ann Lee, Jr.`) is not divided.
 *
 * @param look - Finds `FirstName`, `LastName` and `FullName`.
 */
export function readName(look: Look, findings: FindingsCollector): AgentName | null {
  const [first, last, full] = [look('FirstName'), look('LastName'), look('FullName')];
  if (first !== null && last !== null)
    return { first: first.text, last: last.text, sources: [first.field, last.field] };
  if (full !== null) {
    const end = full.text.includes(',') ? -1 : full.text.lastIndexOf(' ');
    if (end > 0) findings.note(`${full.field} was divided: its last word is the last name`);
    return {
      first: end < 0 ? full.text : full.text.slice(0, end),
      last: end < 0 ? '' : full.text.slice(end + 1),
      sources: [full.field],
    };
  }
  const only = first ?? last;
  return only === null ? null : { first: first?.text ?? '', last: last?.text ?? '', sources: [only.field] };
}
