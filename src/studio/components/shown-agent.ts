/** Whose version of the video is shown: a choice of the person who looks, not of the listing. */
import { computed, signal } from '@preact/signals';
import { isObject, type ListingObject } from '../document/json.ts';
import { view } from './listing.ts';

/** Null, or an agent that is gone: the first. */
export const chosenAgent = signal<string | null>(null);

/** The agents that there are videos of, in the order of the listing. */
export const agents = computed(() => {
  const named = new Map((view.value?.videos ?? []).map((video) => [video.agent_id, video.agent_name]));
  return listedAgents().flatMap(({ id }, index) => {
    const name = typeof id === 'string' ? named.get(id) : undefined;
    return name === undefined ? [] : [{ id: id as string, name: name || `Agent ${index + 1}` }];
  });
});

/** Null while nothing is planned. */
export const shownAgent = computed(
  () => agents.value.find(({ id }) => id === chosenAgent.value) ?? agents.value[0] ?? null,
);

/** Place of the shown agent in `listing.agents`. */
export const shownAgentIndex = computed(() =>
  Math.max(
    0,
    listedAgents().findIndex(({ id }) => id !== undefined && id === shownAgent.value?.id),
  ),
);

/** As in the file, where anything can be. */
function listedAgents(): readonly ListingObject[] {
  const listed = view.value?.listing.agents;
  return Array.isArray(listed) ? listed.map((agent) => (isObject(agent) ? agent : {})) : [];
}
