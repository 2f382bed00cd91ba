/** What stands in the way of the videos, and what is good to know. Each line leads to its field. */
import type { ListingPath } from '../editor/protocol.ts';
import { jumpTo } from '../components/forms/form-tabs.tsx';
import { agents, chosenAgent, chosenRatio } from './shown.ts';
import { listingValue, state } from './state.ts';
import { countWords, ratioWords, sentence } from '../components/words.ts';

export function Problems() {
  const { violations, warnings } = state.value!;
  if (violations.length + warnings.length === 0) return null;
  const counts = [
    violations.length > 0 && `${violations.length} to correct`,
    warnings.length > 0 && countWords(warnings.length, 'note'),
  ].filter(Boolean);
  return (
    <section class="problems" aria-label="Checks">
      <header class="panel-head">
        <h2>Checks</h2>
        <p class="soft">{counts.join(', ')}</p>
      </header>
      <ul>
        {violations.map(({ path, message }) => (
          <li key={`${path.join('/')} ${message}`} data-kind="violation">
            <Line
              path={path}
              words={message}
              subject={photoOf(path) ?? fieldOf(path)}
              onOpen={() => showAgentOf(path)}
            />
          </li>
        ))}
        {warnings.map(({ path, message, agent_id, ratio }) => (
          <li key={`${agent_id} ${ratio} ${path?.join('/')} ${message}`} data-kind="warning">
            <Line
              path={path}
              words={message}
              subject={[photoOf(path), nameOf(agent_id), ratio === null ? null : ratioWords(ratio)]
                .filter(Boolean)
                .join(', ')}
              onOpen={() => {
                if (agent_id !== null) chosenAgent.value = agent_id;
                if (ratio !== null && chosenRatio.value !== 'both') chosenRatio.value = ratio;
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  /** Null: it leads nowhere. */
  readonly path: ListingPath | null;
  readonly words: string;
  /** What it concerns: `Photo 2, June Takemori, 9:16`. */
  readonly subject?: string;
  readonly onOpen?: () => void;
}

function Line({ path, words, subject = '', onOpen }: LineProps) {
  const text = (
    <>
      <span>{sentence(words)}</span>
      {subject !== '' && <span class="soft"> {subject}</span>}
    </>
  );
  if (path === null) return <p>{text}</p>;
  return (
    <button
      type="button"
      onClick={() => {
        onOpen?.();
        jumpTo(path);
      }}
    >
      {text}
    </button>
  );
}

/** The fields of an agent are those of the version on the stage. */
function showAgentOf([list, index]: ListingPath): void {
  const id = list === 'agents' && index !== undefined ? listingValue(['agents', index, 'id']) : undefined;
  if (typeof id === 'string') chosenAgent.value = id;
}

function photoOf(path: ListingPath | null): string | null {
  return path?.[0] === 'assets' && typeof path[1] === 'number' ? `Photo ${path[1] + 1}` : null;
}

/** `bedrooms`, as the file calls it: the form is where it leads. */
function fieldOf(path: ListingPath): string {
  const name = path.findLast((part) => typeof part === 'string');
  return typeof name === 'string' ? name.replaceAll('_', ' ') : '';
}

function nameOf(agentId: string | null): string | null {
  return agents.value.find(({ id }) => id === agentId)?.name ?? null;
}
