/** Makes the videos: what to make, how far it is, and the videos that there are. */
import { useEffect, useRef } from 'preact/hooks';
import { UPLOAD_TEXTS } from '../../listing/words/upload-texts.ts';
import { announce } from '../components/announce.tsx';
import { Choice } from '../components/choice.tsx';
import { dataPath } from '../components/forms/agent-data.ts';
import { jumpTo } from '../components/forms/form-tabs.tsx';
import { listingValue } from '../components/listing.ts';
import { agents, chosenAgent, shownAgentIndex } from '../components/shown-agent.ts';
import { progressWords, ratioWords, sentence } from '../components/words.ts';
import type { RatioChoice, RenderRequest, StudioRender } from '../editor/protocol.ts';
import { forms } from './forms/forms.ts';
import { MadeVideos } from './made-videos.tsx';
import { Places } from './places.tsx';
import {
  chooseAgent,
  chooseShapes,
  chosenPlaces,
  chosenShapes,
  isShapeSaid,
  onlyAgent,
  onlyRatio,
  RATIOS,
  renderRequest,
} from './render-choice.ts';
import { pause } from './stage/player.ts';
import { isAway, refuse, request, state } from './state.ts';

/**
 * Renders what the panel has chosen, or goes on with an earlier render. Refuses while a field is to be corrected. Does
 * nothing while the studio is stopped.
 */
export function startRender(earlier: RenderRequest | null = null): void {
  if (isAway.value) return;
  const panel = document.getElementById('render-panel');
  panel?.scrollIntoView({ block: 'nearest' });
  panel?.focus({ preventScroll: true });
  const count = state.value?.violations.length ?? 0;
  if (count > 0) {
    refuse('The listing cannot be rendered yet: see Checks below the scenes.');
    return;
  }
  pause();
  const [place, only] = [
    shownAgentIndex.value,
    agents.value.findIndex(({ id }) => id === onlyAgent.value?.id),
  ];
  void request('POST', 'renders', earlier ?? renderRequest()).then((isStarted) => {
    if (!isStarted) return;
    announce('Rendering started.');
    // A render names agents for people: the ones on the stage and in the menu stay.
    const id = listingValue(['agents', place, 'id']);
    if (typeof id === 'string') chosenAgent.value = id;
    if (only >= 0) chooseAgent(agents.value[only]?.id ?? null);
  });
}

export function RenderPanel() {
  const { render } = state.value!;
  const isRunning = render?.state === 'running';
  return (
    <section class="render" id="render-panel" aria-label="Videos to render" tabIndex={-1}>
      <header class="panel-head">
        <h2>Videos</h2>
      </header>
      {!isRunning && <Choices />}
      {render !== null && <Outcome render={render} />}
      <MadeVideos />
    </section>
  );
}

function showUploadTexts(): void {
  jumpTo(dataPath(shownAgentIndex.value, UPLOAD_TEXTS.title), forms.value);
}

function Choices() {
  const hasPlaces = chosenPlaces.value.length > 0;
  const ofAgents = onlyRatio.value === null ? 'As each agent has it' : ratioWords(onlyRatio.value);
  const ofPlaces = isShapeSaid.value ? 'As set under Agents' : 'As each place asks';
  const own = hasPlaces ? ofPlaces : ofAgents;
  const others = RATIOS.filter((ratio) => hasPlaces || ratio !== onlyRatio.value);
  return (
    <div class="render-choices">
      <Places />
      {agents.value.length > 1 && <AgentsToRender />}
      <div class="field">
        <Choice<RatioChoice>
          id="render-ratio"
          label="Shape"
          value={chosenShapes.value}
          options={[
            ['own', own],
            ...others.map((ratio) => [ratio, ratioWords(ratio)] as const),
            ['both', '16:9 and 9:16'],
          ]}
          onChange={chooseShapes}
        />
      </div>
      <button type="button" class="primary" aria-disabled={isAway.value} onClick={() => startRender()}>
        Render
      </button>
      <button type="button" class="quiet" onClick={showUploadTexts}>
        Title and description
      </button>
    </div>
  );
}

function AgentsToRender() {
  const { length } = agents.value;
  return (
    <div class="field">
      <Choice
        id="render-versions"
        label="Render for"
        value={onlyAgent.value?.id ?? ''}
        options={[
          ['', length === 2 ? 'Both agents' : `All ${length} agents`],
          ...agents.value.map(({ id, name }) => [id, `Only ${name}`] as const),
        ]}
        onChange={(id) => chooseAgent(id === '' ? null : id)}
      />
    </div>
  );
}

function Outcome({ render }: { readonly render: StudioRender }) {
  const before = useRef(render.state);
  useEffect(() => {
    if (before.current === render.state) return;
    before.current = render.state;
    if (render.state === 'done') {
      announce('The videos are finished.');
      // Nobody who edits something else meanwhile is taken away from it.
      document.activeElement?.closest('#render-panel')?.scrollIntoView({ block: 'nearest' });
    }
    if (render.state === 'failed') announce(`Rendering failed. ${render.message ?? ''}`);
    if (render.state === 'cancelled') announce('Rendering was cancelled.');
  }, [render.state]);
  switch (render.state) {
    case 'running':
      return <Progress render={render} />;
    case 'failed':
      return <p class="fault">Rendering failed. {sentence(render.message ?? '')}</p>;
    case 'cancelled':
      return (
        <p class="soft">Rendering was cancelled. Finished parts are kept, so the next render is faster.</p>
      );
    case 'interrupted':
    case 'done':
      return null;
  }
}

function Progress({ render }: { readonly render: StudioRender }) {
  if (isAway.value)
    return <p class="fault">Rendering stopped with the studio. Its finished parts are kept.</p>;
  return (
    <div class="render-progress">
      <progress max={100} value={render.percent} aria-label="Rendering" />
      <p>{progressWords(render)}</p>
      <button type="button" onClick={() => void request('DELETE', 'renders/current')}>
        Cancel
      </button>
    </div>
  );
}
