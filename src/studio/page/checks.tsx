/** What stands in the way of the videos, and what is good to know. Each line leads to its field. */
import { countWords } from '../../listing/words/count-words.ts';
import { type Finding, FindingList } from '../components/finding-list.tsx';
import { fieldWords } from '../components/forms/field-words.ts';
import { hasField, jumpTo } from '../components/forms/form-tabs.tsx';
import { listingValue, view } from '../components/listing.ts';
import { agents, chosenAgent } from '../components/shown-agent.ts';
import { ratioWords, sentence } from '../components/words.ts';
import type { ListingPath, StudioViolation, StudioWarning } from '../editor/protocol.ts';
import { forms } from './forms/forms.ts';
import { chosenRatio } from './shown.ts';
import { state } from './state.ts';

export function Checks() {
  const { violations, warnings } = view.value!;
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
  return {
    kind: 'violation',
    words: sentence(message),
    subject: fieldWords(state.value!.listing, path),
    ...leadTo(path),
  };
}

function ofWarning({ path, message, agent_id, ratio }: StudioWarning): Finding {
  const field = path === null ? '' : fieldWords(state.value!.listing, path);
  const agent = agents.value.find(({ id }) => id === agent_id)?.name ?? '';
  const subject = [field, field.includes(agent) ? '' : agent, ratio === null ? '' : ratioWords(ratio)];
  return {
    kind: 'warning',
    words: sentence(message),
    subject: subject.filter((words) => words !== '').join(', '),
    ...(path === null
      ? {}
      : leadTo(path, () => {
          if (agent_id !== null) chosenAgent.value = agent_id;
          if (ratio !== null && chosenRatio.value !== 'both') chosenRatio.value = ratio;
        })),
  };
}

/** @param before - Chooses what the stage shows. */
function leadTo(path: ListingPath, before: () => void = () => {}): Pick<Finding, 'onOpen'> {
  if (!hasField(path, forms.value)) return {};
  return {
    onOpen: () => {
      // The fields of an agent are those of the version on the stage.
      const id = path[0] === 'agents' ? listingValue([...path.slice(0, 2), 'id']) : undefined;
      if (typeof id === 'string') chosenAgent.value = id;
      before();
      jumpTo(path, forms.value);
    },
  };
}
