/** Makes the videos: what to make, how far it is, and the finished videos to play. */
import { computed, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../components/announce.tsx';
import { Choice } from '../components/choice.tsx';
import { agents, shownAgent } from '../components/shown-agent.ts';
import { progressWords, ratioWords, sentence, sizeWords } from '../components/words.ts';
import type { RenderedVideo, RenderRequest, StudioRender } from '../editor/protocol.ts';
import { chosenRatio, ownRatio, type RatioChoice } from './shown.ts';
import { pause } from './stage/player.ts';
import { refuse, request, state } from './state.ts';

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
  const { length } = agents.value;
  const name = shownAgent.value?.name ?? '';
  const everybody = length < 2 ? name : length === 2 ? 'Both agents' : `All ${length} agents`;
  const own = isOneAgent.value ? ratioWords(ownRatio.value) : 'As each agent has it';
  const others = RATIOS.filter((ratio) => !isOneAgent.value || ratio !== ownRatio.value);
  return (
    <div class="render-choices">
      <div class="field">
        <Choice
          id="render-versions"
          label="Versions"
          value={whose.value}
          options={[['all', everybody], ...(length > 1 ? [['shown', `Only ${name}`] as const] : [])]}
          onChange={(value) => {
            whose.value = value;
          }}
        />
      </div>
      <div class="field">
        <Choice<RatioChoice>
          id="render-ratio"
          label="Ratio"
          value={ratioChoice.value}
          options={[
            ['own', own],
            ...others.map((ratio) => [ratio, ratioWords(ratio)] as const),
            ['both', '16:9 and 9:16'],
          ]}
          onChange={(value) => {
            panelRatio.value = value;
          }}
        />
      </div>
      <button type="button" class="primary" onClick={startRender}>
        Render
      </button>
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

function Progress({ render }: { readonly render: StudioRender }) {
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
