/** What keeps the listing from being taken, and what the service does not know in it. Each line leads to its place. */
import { type Finding, FindingList } from '../../../components/finding-list.tsx';
import { AGENTS } from '../../../components/forms/agents-form.tsx';
import { hasField, jumpTo } from '../../../components/forms/form-tabs.tsx';
import { PROPERTY } from '../../../components/forms/property-form.tsx';
import { takesPhotos } from '../account.ts';
import { type Findings, type Mistake, toFinding } from './findings.ts';

const MAX_LISTED = 100;
export const FORMS = [PROPERTY, AGENTS];

interface FoundProblemProps {
  readonly found: Findings;
  readonly onOpen: (span: Pick<Mistake, 'start' | 'end'>) => void;
}

export function FoundProblem({ found, onOpen }: FoundProblemProps) {
  const { heading, words, mistakes } = found;
  const listed = mistakes.slice(0, MAX_LISTED).map((mistake): Finding => {
    const path = mistake.loc.slice(1);
    return takesPhotos.value && path.length > 0 && hasField(path, FORMS)
      ? toFinding(found, mistake, 'field', () => jumpTo(path, FORMS))
      : toFinding(found, mistake, 'line', () => onOpen(mistake));
  });
  return (
    <div class="problem">
      <h2>{heading}</h2>
      {words !== undefined && <p>{words}</p>}
      <FindingList findings={listed} />
      {mistakes.length > MAX_LISTED && <p class="hint">and {mistakes.length - MAX_LISTED} more.</p>}
    </div>
  );
}
