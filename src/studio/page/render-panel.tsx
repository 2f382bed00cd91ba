/** Makes the videos: what to make, how far it is, and the finished videos to play. */
import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RenderedVideo, RenderRequest, StudioRender } from '../editor/protocol.ts';
import { announce } from './announce.ts';
import { agents, chosenRatio, ownRatio, type RatioChoice, shownAgent } from './shown.ts';
import { pause } from './stage/player.ts';
import { refuse, request, state } from './state.ts';
import { leftWords, ratioWords, sentence, sizeWords, stageWords } from '../components/words.ts';

const RATIOS = ['1920:1080', '1080:1920'] as const;

const whose = signal<'all' | 'shown'>('all');
/** Null until the person chooses: what the stage shows. */
const panelRatio = signal<RatioChoice | null>(null);

const isOneAgent = computed(() => agents.value.length === 1 || whose.value === 'shown');
const ratioChoice = computed(() => {
  const choice = panelRatio.value ?? chosenRatio.value;
  return isOneAgent.value && choice === ownRatio.value ? 'own' : choice;
});

/** Renders what the panel has chosen, and goes to it. Refuses while a field is to be corrected. */
export function startRender(): void {
  const panel = document.getElementById('render-panel');
  panel?.scrollIntoView({ block: 'nearest' });
  panel?.focus({ preventScroll: true });
  const count = state.value?.violations.length ?? 0;
  if (count > 0) {
    refuse('The listing cannot be rendered yet: see Checks below the scenes.');
    return;
  }
  pause();
  const agent = shownAgent.value;
  const body: RenderRequest = {
    ...(whose.value === 'shown' && agent !== null ? { agents: [agent.id] } : {}),
    ...(ratioChoice.value !== 'own' && {
      ratios: ratioChoice.value === 'both' ? RATIOS : [ratioChoice.value],
    }),
  };
  void request('POST', 'renders', body).then((isStarted) => {
    if (isStarted) announce('Rendering started.');
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
    </section>
  );
}

function Choices() {
  const name = shownAgent.value?.name ?? '';
  return (
    <div class="render-choices">
      <label>
        <span>Versions</span>
        <select
          value={whose.value}
          onChange={(event) => {
            whose.value = event.currentTarget.value === 'shown' ? 'shown' : 'all';
          }}
        >
          <option value="all">{everybody(name)}</option>
          {agents.value.length > 1 && <option value="shown">Only {name}</option>}
        </select>
      </label>
      <label>
        <span>Ratio</span>
        <select
          value={ratioChoice.value}
          onChange={(event) => {
            panelRatio.value = event.currentTarget.value as RatioChoice;
          }}
        >
          <option value="own">
            {isOneAgent.value ? ratioWords(ownRatio.value) : 'As each agent has it'}
          </option>
          {RATIOS.map(
            (ratio) =>
              !(isOneAgent.value && ratio === ownRatio.value) && (
                <option key={ratio} value={ratio}>
                  {ratioWords(ratio)}
                </option>
              ),
          )}
          <option value="both">16:9 and 9:16</option>
        </select>
      </label>
      <button type="button" class="primary" onClick={startRender}>
        Render
      </button>
    </div>
  );
}

function everybody(name: string): string {
  const { length } = agents.value;
  if (length < 2) return name;
  return length === 2 ? 'Both agents' : `All ${length} agents`;
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
    case 'done':
      return (
        <>
          <p class="render-folder">
            In the folder <code>{render.folder}</code>
          </p>
          <ul class="finished">
            {render.videos.map((video) => (
              <Finished key={video.url} video={video} />
            ))}
          </ul>
        </>
      );
  }
}

function Progress({ render: { percent, stage, eta_seconds } }: { readonly render: StudioRender }) {
  const words = [
    stageWords(stage),
    `${Math.floor(percent)} %`,
    ...(eta_seconds === null ? [] : [leftWords(eta_seconds)]),
  ].join(' · ');
  return (
    <div class="render-progress">
      <progress max={100} value={percent} aria-label="Rendering" />
      <p>{words}</p>
      <button type="button" onClick={() => void request('DELETE', 'renders/current')}>
        Cancel
      </button>
    </div>
  );
}

function Finished({ video }: { readonly video: RenderedVideo }) {
  const name = agents.value.find(({ id }) => id === video.agent_id)?.name ?? video.agent_id;
  const title = `${name}, ${ratioWords(video.ratio)}`;
  return (
    <li data-ratio={video.ratio}>
      <video
        controls
        preload="none"
        aria-label={title}
        src={video.url}
        {...(video.poster_url === null ? {} : { poster: video.poster_url })}
        onPlay={pause}
      />
      <p>
        {title}
        <span class="soft">
          {' '}
          {video.name}, {sizeWords(video.bytes)}
        </span>
      </p>
    </li>
  );
}
