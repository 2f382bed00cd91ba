/** What is on the stage: whose version, in which shape, and whether safe areas are drawn. */
import { signal } from '@preact/signals';
import { Choice } from '../../components/choice.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { agents, chosenAgent, shownAgent } from '../../components/shown-agent.ts';
import { chosenRatio, ownRatio } from '../shown.ts';

/** Draws the area that players and phones do not cover. */
export const showsSafeArea = signal(false);

const RATIOS = [
  { id: '1920:1080', title: '16:9' },
  { id: '1080:1920', title: '9:16' },
  { id: 'both', title: 'Both' },
] as const;

export function StageBar() {
  const chosen = chosenRatio.value === 'own' ? ownRatio.value : chosenRatio.value;
  return (
    <div class="stage-bar">
      <div class="agent-choice">
        <Choice
          id="stage-agent"
          label="Agent"
          value={shownAgent.value?.id ?? ''}
          options={agents.value.map(({ id, name }) => [id, name] as const)}
          onChange={(id) => {
            chosenAgent.value = id;
          }}
        />
      </div>
      <fieldset class="ratios">
        <legend class="spoken">Shape on the stage</legend>
        {RATIOS.map(({ id, title }) => (
          <label key={id}>
            <input
              type="radio"
              name="ratio"
              checked={id === chosen}
              onChange={() => {
                chosenRatio.value = id;
              }}
            />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
      <IconButton
        icon="safe"
        label="Show where apps cover the video"
        isPressed={showsSafeArea.value}
        onClick={() => {
          showsSafeArea.value = !showsSafeArea.value;
        }}
      />
    </div>
  );
}
