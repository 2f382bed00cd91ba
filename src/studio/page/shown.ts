/** What is on the stage: choices of the person who looks, not of the listing. */
import { computed, signal } from '@preact/signals';
import type { StudioVideo } from '../editor/protocol.ts';
import { state } from './state.ts';

/** The agent whose version is watched. Null, or an agent that is gone: the first. */
export const chosenAgent = signal<string | null>(null);

/** `own`: the ratio of the agent's video. `both`: side by side. */
export type RatioChoice = 'own' | '1920:1080' | '1080:1920' | 'both';

export const chosenRatio = signal<RatioChoice>('own');

/** The agents that there are videos of, in the order of the listing. */
export const agents = computed(() => {
  const named = new Map((state.value?.videos ?? []).map((video) => [video.agent_id, video.agent_name]));
  return listedAgents().flatMap((agent, index) => {
    const id = agent?.id;
    const name = typeof id === 'string' ? named.get(id) : undefined;
    return name === undefined ? [] : [{ id: id as string, name: name || `Agent ${index + 1}` }];
  });
});

/** The agent on the stage, and its place in `listing.agents`; null while nothing is planned. */
export const shownAgent = computed(
  () => agents.value.find(({ id }) => id === chosenAgent.value) ?? agents.value[0] ?? null,
);

/** Place of the shown agent in `listing.agents`. */
export const shownAgentIndex = computed(() => {
  return Math.max(
    0,
    listedAgents().findIndex((agent) => agent?.id === shownAgent.value?.id),
  );
});

/** The videos on the stage: one, or both ratios of one agent. */
export const shownVideos = computed<readonly StudioVideo[]>(() => {
  const agent = shownAgent.value;
  const own = (state.value?.videos ?? []).filter(({ agent_id }) => agent_id === agent?.id);
  if (chosenRatio.value === 'both') return own;
  const ratio = chosenRatio.value === 'own' ? ownRatio.value : chosenRatio.value;
  return own.filter((video) => video.ratio === ratio).slice(0, 1);
});

/** The ratio of the shown agent's video in the listing. */
export const ownRatio = computed(() => {
  const options = listedAgents()[shownAgentIndex.value]?.video_options;
  const ratio = (options as { readonly ratio?: unknown } | null | undefined)?.ratio;
  return ratio === '1080:1920' ? '1080:1920' : '1920:1080';
});

/** As in the file, where anything can be. */
function listedAgents(): readonly (Readonly<Record<string, unknown>> | null)[] {
  const listed = state.value?.listing.agents;
  return Array.isArray(listed) ? listed : [];
}
