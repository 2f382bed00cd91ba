/** The videos on the stage: choices of the person who looks, not of the listing. */
import { computed, signal } from '@preact/signals';
import type { AspectRatio } from '../../listing/listing.ts';
import { listingValue } from '../components/listing.ts';
import { shownAgent, shownAgentIndex } from '../components/shown-agent.ts';
import type { RatioChoice, StudioVideo } from '../editor/protocol.ts';
import { state } from './state.ts';

/** `both`: side by side. */
export const chosenRatio = signal<RatioChoice>('own');

/** One, or both ratios of one agent. */
export const shownVideos = computed<readonly StudioVideo[]>(() => {
  const all = state.value?.videos ?? [];
  const of = (agent: string | undefined) => all.filter(({ agent_id }) => agent_id === agent);
  const planned = of(shownAgent.value?.id);
  // An agent that was just added has no plan yet.
  const own = planned.length > 0 ? planned : of(all[0]?.agent_id);
  if (chosenRatio.value === 'both') return own;
  const ratio = chosenRatio.value === 'own' ? ownRatio.value : chosenRatio.value;
  return own.filter((video) => video.ratio === ratio).slice(0, 1);
});

export const ownRatio = computed(() => ownRatioOf(shownAgentIndex.value));

/** The ratio of an agent's own video. @param index - In `listing.agents`. */
export function ownRatioOf(index: number): AspectRatio {
  const ratio = listingValue(['agents', index, 'video_options', 'ratio']);
  return ratio === '1080:1920' ? ratio : '1920:1080';
}
