/**
 * What Render makes: the shapes that the person chose for this listing, else all that exist, so that no old price stands
 * beside a new one.
 */
import { computed, signal } from '@preact/signals';
import type { AspectRatio } from '../../listing/listing.ts';
import { listingValue } from '../components/listing.ts';
import { agents } from '../components/shown-agent.ts';
import type { MadeVideo, RatioChoice, RenderRequest } from '../editor/protocol.ts';
import { chosenRatio, ownRatioOf } from './shown.ts';
import { request, state } from './state.ts';

export const RATIOS = ['1920:1080', '1080:1920'] as const;

/** Id of the only agent to render; null: all. */
const pickedAgent = signal<string | null>(null);
/** Shapes that the server does not know yet. */
const pickedShapes = signal<RatioChoice | null>(null);

/** Null: all agents. */
export const onlyAgent = computed(
  () => agents.value.find(({ id }) => id === pickedAgent.value && agents.value.length > 1) ?? null,
);

/** The ratio of the only agent's own video; null where there are several agents. */
export const onlyRatio = computed<AspectRatio | null>(() => {
  const only = onlyAgent.value ?? (agents.value.length === 1 ? agents.value[0] : undefined);
  return only === undefined ? null : ownRatioOf(placeOf(only.id));
});

export const chosenShapes = computed<RatioChoice>(() => {
  const choice = pickedShapes.value ?? state.value?.shapes ?? existingShapes();
  return choice === onlyRatio.value ? 'own' : choice;
});

/** @param id - Null: all agents. */
export function chooseAgent(id: string | null): void {
  pickedAgent.value = id;
}

/** Holds at once, and is remembered for the listing. */
export function chooseShapes(shapes: RatioChoice): void {
  pickedShapes.value = shapes;
  void request('POST', 'shapes', { shapes }).then((isKnown) => {
    if (isKnown && pickedShapes.value === shapes) pickedShapes.value = null;
  });
}

export function renderRequest(): RenderRequest {
  const shapes = chosenShapes.value;
  return {
    ...(onlyAgent.value !== null && { agents: [onlyAgent.value.id] }),
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

function isInRender({ agent_id: agent, has_agent_left: hasLeft, has_chosen_template }: MadeVideo): boolean {
  return !hasLeft && !has_chosen_template && (onlyAgent.value === null || agent === onlyAgent.value.id);
}

/** A video without branding exists beside those of an agent in the same ratio. */
function hasOwnRatio({ agent_id: agent, ratio }: MadeVideo): boolean {
  if (agent === null) return listedIds().some((_, index) => ownRatioOf(index) === ratio);
  return ownRatioOf(placeOf(agent)) === ratio;
}

function placeOf(agent: string): number {
  return listedIds().indexOf(agent);
}

function listedIds(): readonly unknown[] {
  const listed = listingValue(['agents']);
  return Array.isArray(listed) ? listed.map((each) => each?.id as unknown) : [];
}
