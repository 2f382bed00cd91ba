/** Whose version of the video is shown: a choice of the person who looks, not of the listing. */
import { computed, signal } from '@preact/signals';
import { isObject, type ListingObject } from '../document/json.ts';
import { agentTitle } from './forms/listing-edits.ts';
import { view } from './listing.ts';

/** Null, or an agent that is gone: the first. */
export const chosenAgent = signal<string | null>(null);

/** In the order of the listing, also before there is a plan of their videos. */
export const agents = computed(() =>
  listedAgents().flatMap(({ id }, place) =>
    typeof id === 'string' ? [{ id, name: agentTitle(view.value!.listing, place) }] : [],
  ),
);

/** Null while the listing has none. */
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
