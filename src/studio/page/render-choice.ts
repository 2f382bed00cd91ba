/**
 * What Render makes: the shapes that the person chose for this listing, else all that exist, so that no old price stands
 * beside a new one.
 */
import { computed, signal } from '@preact/signals';
import { listingValue } from '../components/listing.ts';
import { agents, shownAgent } from '../components/shown-agent.ts';
import type { MadeVideo, RatioChoice, RenderRequest } from '../editor/protocol.ts';
import { chosenRatio, ownRatio, ownRatioOf } from './shown.ts';
import { request, state } from './state.ts';

export const RATIOS = ['1920:1080', '1080:1920'] as const;

export const chosenAgents = signal<'all' | 'shown'>('all');

export const isOneAgent = computed(() => agents.value.length === 1 || chosenAgents.value === 'shown');

export const chosenShapes = computed<RatioChoice>(() => {
  const choice = state.value?.shapes ?? existingShapes();
  return isOneAgent.value && choice === ownRatio.value ? 'own' : choice;
});

/** Remembers the choice for the listing. */
export function chooseShapes(shapes: RatioChoice): void {
  void request('POST', 'shapes', { shapes });
}

export function renderRequest(): RenderRequest {
  const agent = shownAgent.value;
  const shapes = chosenShapes.value;
  return {
    ...(chosenAgents.value === 'shown' && agent !== null ? { agents: [agent.id] } : {}),
    ...(shapes !== 'own' && { ratios: shapes === 'both' ? RATIOS : [shapes] }),
  };
}

/** With what the stage shows, which the person looks at. */
function existingShapes(): RatioChoice {
  const made = (state.value?.results.videos ?? []).filter(isInRender);
  const shown = chosenRatio.value;
  if (made.length === 0) return shown;
  if (shown === 'own' && made.every(hasOwnRatio)) return 'own';
  const ratios = new Set(made.map(({ ratio }) => ratio));
  if (shown !== 'own' && shown !== 'both') ratios.add(shown);
  const [ratio] = ratios;
  return shown === 'both' || ratios.size > 1 ? 'both' : ratio!;
}

function isInRender({ agent_id: agent, has_agent_left: hasLeft }: MadeVideo): boolean {
  return !hasLeft && (chosenAgents.value === 'all' || agent === shownAgent.value?.id);
}

/** A video without branding exists beside those of an agent in the same ratio. */
function hasOwnRatio({ agent_id: agent, ratio }: MadeVideo): boolean {
  const listed = listingValue(['agents']);
  const ids = Array.isArray(listed) ? listed.map((each) => each?.id as unknown) : [];
  if (agent === null) return ids.some((_, index) => ownRatioOf(index) === ratio);
  return ownRatioOf(ids.indexOf(agent)) === ratio;
}
