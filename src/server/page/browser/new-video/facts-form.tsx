/** The first facts of a listing as a small form, so that one can be started from photos alone. It reads and writes the text. */
import { Field } from '../../../../studio/components/field.tsx';
import { draft, draftListing } from './draft.ts';
import { type Findings, faultsAt } from '../../../../studio/serve-page/browser/new-video/findings.ts';
import { type Path, readListing, valueAt, withValue } from './listing-text.ts';

const AGENT = ['agents', 0] as const;

export function FactsForm({ findings }: { readonly findings: Findings | null }) {
  const found = { findings };
  const isJson = draftListing.value !== null;
  const agents = valueAt(draftListing.value, ['agents']);
  const others = Array.isArray(agents) ? agents.length - 1 : 0;
  return (
    <fieldset class="facts" disabled={!isJson} aria-describedby="facts-help">
      <legend>The essentials</legend>
      <p id="facts-help" class="hint">
        {isJson
          ? 'What you type here is written into the listing.'
          : 'Correct the listing first: it is not JSON yet.'}
      </p>
      <Fact {...found} label="Listing id" path={['id']} hint="Such as the MLS number" />
      <Fact {...found} label="Street" path={['address', 'street']} />
      <div class="pair">
        <Fact {...found} label="City" path={['address', 'city']} />
        <Fact {...found} label="State" path={['address', 'state']} />
      </div>
      <div class="pair">
        <Fact {...found} label="Agent’s first name" path={[...AGENT, 'first_name']} prepare={nameAgent} />
        <Fact {...found} label="Last name" path={[...AGENT, 'last_name']} prepare={nameAgent} />
      </div>
      {others > 0 && (
        <p class="hint">{others === 1 ? 'One more agent is' : `${others} more agents are`} in the text.</p>
      )}
    </fieldset>
  );
}

interface FactProps {
  readonly findings: Findings | null;
  readonly label: string;
  readonly path: Path;
  readonly hint?: string;
  /** Changes first what follows from the value. @param after - The text with the value. */
  readonly prepare?: (before: string, after: string) => string;
}

function Fact({ findings, label, path, hint, prepare }: FactProps) {
  const value = valueAt(draftListing.value, path);
  const write = (text: string) => {
    const written = (to: string) => withValue(to, path, text === '' ? undefined : text);
    const before = draft.value;
    draft.value = written(prepare === undefined ? before : prepare(before, written(before)));
  };
  return (
    <Field
      id={`fact-${path.join('-')}`}
      label={label}
      {...(hint === undefined ? {} : { hint })}
      faults={faultsAt(findings, draftListing.value, path)}
      input={(attributes) => (
        <input
          {...attributes}
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      )}
    />
  );
}

/** The agent's id follows the name, unless somebody wrote another. It goes first, as people read it first. */
function nameAgent(before: string, after: string): string {
  const id = valueAt(readListing(before), [...AGENT, 'id']);
  return id === undefined || id === agentIdOf(before)
    ? withValue(before, [...AGENT, 'id'], agentIdOf(after))
    : before;
}

/** `june-takemori`. Undefined without a name. */
function agentIdOf(text: string): string | undefined {
  const agent = valueAt(readListing(text), AGENT);
  const names = [valueAt(agent, ['first_name']), valueAt(agent, ['last_name'])];
  const id = names
    .filter((name) => typeof name === 'string')
    .join('-')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return id === '' ? undefined : id;
}
