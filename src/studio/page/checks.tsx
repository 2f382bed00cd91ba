/** What stands in the way of the videos, and what is good to know. Each line leads to its field. */
import { countWords } from '../../listing/words/count-words.ts';
import { type Finding, FindingList } from '../components/finding-list.tsx';
import { jumpTo } from '../components/forms/form-tabs.tsx';
import { listingValue } from '../components/listing.ts';
import { agents, chosenAgent } from '../components/shown-agent.ts';
import { ratioWords, sentence } from '../components/words.ts';
import type { ListingPath, StudioViolation, StudioWarning } from '../editor/protocol.ts';
import { FORMS } from './forms/forms.ts';
import { chosenRatio } from './shown.ts';
import { state } from './state.ts';

export function Checks() {
  const { violations, warnings } = state.value!;
  if (violations.length + warnings.length === 0) return null;
  const counts = [
    violations.length > 0 && `${violations.length} to correct`,
    warnings.length > 0 && countWords(warnings.length, 'note'),
  ].filter(Boolean);
  return (
    <section class="checks" aria-label="Checks">
      <header class="panel-head">
        <h2>Checks</h2>
        <p class="soft">{counts.join(', ')}</p>
      </header>
      <FindingList findings={[...violations.map(ofViolation), ...warnings.map(ofWarning)]} />
    </section>
  );
}

function ofViolation({ path, message }: StudioViolation): Finding {
  const field = path.findLast((part) => typeof part === 'string');
  return {
    kind: 'violation',
    words: sentence(message),
    // As the file calls it: the form is where it leads.
    subject: photoWords(path) ?? String(field ?? '').replaceAll('_', ' '),
    onOpen: () => {
      // The fields of an agent are those of the version on the stage.
      const id = path[0] === 'agents' ? listingValue([...path.slice(0, 2), 'id']) : undefined;
      if (typeof id === 'string') chosenAgent.value = id;
      jumpTo(path, FORMS);
    },
  };
}

function ofWarning({ path, message, agent_id, ratio }: StudioWarning): Finding {
  const agent = agents.value.find(({ id }) => id === agent_id)?.name;
  const subject = [photoWords(path), agent, ratio === null ? null : ratioWords(ratio)];
  const finding = {
    kind: 'warning',
    words: sentence(message),
    subject: subject.filter(Boolean).join(', '),
  } as const;
  if (path === null) return finding;
  const onOpen = () => {
    if (agent_id !== null) chosenAgent.value = agent_id;
    if (ratio !== null && chosenRatio.value !== 'both') chosenRatio.value = ratio;
    jumpTo(path, FORMS);
  };
  return { ...finding, onOpen };
}

function photoWords(path: ListingPath | null): string | null {
  return path?.[0] === 'assets' && typeof path[1] === 'number' ? `Photo ${path[1] + 1}` : null;
}
