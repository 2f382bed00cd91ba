/** The videos on the stage: choices of the person who looks, not of the listing. */
import { computed, signal } from '@preact/signals';
import { listingValue } from '../components/listing.ts';
import { shownAgent, shownAgentIndex } from '../components/shown-agent.ts';
import type { StudioVideo } from '../editor/protocol.ts';
import { state } from './state.ts';

/** `own`: the ratio of the agent's video. `both`: side by side. */
export type RatioChoice = 'own' | '1920:1080' | '1080:1920' | 'both';

export const chosenRatio = signal<RatioChoice>('own');

/** One, or both ratios of one agent. */
export const shownVideos = computed<readonly StudioVideo[]>(() => {
  const own = (state.value?.videos ?? []).filter(({ agent_id }) => agent_id === shownAgent.value?.id);
  if (chosenRatio.value === 'both') return own;
  const ratio = chosenRatio.value === 'own' ? ownRatio.value : chosenRatio.value;
  return own.filter((video) => video.ratio === ratio).slice(0, 1);
});

export const ownRatio = computed(() =>
  listingValue(['agents', shownAgentIndex.value, 'video_options', 'ratio']) === '1080:1920'
    ? '1080:1920'
    : '1920:1080',
);
