/** The agents. Each gets a video. */
import { signal } from '@preact/signals';
import { isObject } from '../../document/json.ts';
import { afterRender } from '../after-render.ts';
import { announce } from '../announce.tsx';
import { RawNote } from '../fields/raw-note.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { SharedField } from '../fields/shared-field.tsx';
import { Icon } from '../icon.tsx';
import { edit, listingValue, view } from '../listing.ts';
import { AgentCard, RATIO_OPTIONS } from './agent-card.tsx';
import { optionPath, optionTarget } from './agent-data.ts';
import { addAgent, MAX_AGENTS } from './agent-edits.ts';
import { faultsOf } from './findings.ts';
import { type Form, isPhotoText } from './form.ts';
import { agentPlaces } from './listing-edits.ts';
import { isVideoText } from './property-form.tsx';
import { toElementId } from './target.ts';

const openAgent = signal<number | null>(0);

export const AGENTS: Form = {
  id: 'agents',
  title: 'Agents',
  View: AgentsForm,
  has: (path) => path[0] === 'agents' && !isVideoText(path) && !isPhotoText(path),
  reveal: ([, place]) => {
    if (typeof place === 'number') openAgent.value = place;
  },
};

function AgentsForm() {
  const agents = listingValue(['agents']) ?? [];
  if (!Array.isArray(agents)) return <RawNote title="Agents" path={['agents']} />;
  const places = agentPlaces(view.value!.listing);
  const add = () => {
    edit('Add agent', addAgent(view.value!.listing));
    announce('An agent is added, with the look that the others have in common.');
    openAgent.value = agents.length;
    afterRender(() => document.getElementById(toElementId(['agents', agents.length, 'first_name']))?.focus());
  };
  return (
    <section class="group" aria-labelledby="group-agents">
      <h3 class="spoken" id="group-agents">
        Agents
      </h3>
      <p class="hint">Each agent gets a video, with a card of their own at the end.</p>
      {faultsOf([['agents']]).map((fault) => (
        <p class="fault" key={fault} data-path="/agents" tabIndex={-1}>
          {fault}
        </p>
      ))}
      {places.length > 1 && (
        <SharedField
          label="Shape of the videos"
          places={places}
          pathOf={(place) => optionPath(place, 'ratio')}
          targetOf={(of) => optionTarget('Change shape', of, 'ratio')}
          draw={(target, label) => (
            <SelectField label={label} target={target} options={RATIO_OPTIONS} preset="1920:1080" />
          )}
        />
      )}
      <ol class="agents">
        {agents.map((agent, place) =>
          isObject(agent) ? (
            <AgentCard
              key={place}
              place={place}
              count={agents.length}
              isOpen={openAgent.value === place}
              onToggle={(isOpen) => {
                if (isOpen) openAgent.value = place;
                else if (openAgent.value === place) openAgent.value = null;
              }}
              onMoved={(to) => {
                if (openAgent.value === place) openAgent.value = to;
                else if (openAgent.value === to) openAgent.value = place;
              }}
              onRemoved={() => {
                const open = openAgent.value ?? -1;
                if (open >= place) openAgent.value = open === place ? null : open - 1;
              }}
            />
          ) : (
            <li key={place}>
              <RawNote title={`Agent ${place + 1}`} path={['agents', place]} />
            </li>
          ),
        )}
      </ol>
      <button
        type="button"
        id="add-agent"
        {...(agents.length >= MAX_AGENTS ? { 'aria-disabled': true } : {})}
        onClick={() => {
          if (agents.length < MAX_AGENTS) add();
        }}
      >
        <Icon name="add" /> Add agent
      </button>
    </section>
  );
}
