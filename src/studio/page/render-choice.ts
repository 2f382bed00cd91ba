/**
 * What Render makes: the places and shapes that the person chose for this listing. Without either, all shapes that exist,
 * so that no old price stands beside a new one.
 */
import { computed, signal } from '@preact/signals';
import type { AspectRatio } from '../../listing/listing.ts';
import { type DestinationName, destinationOf } from '../../video/destinations/destination-table.ts';
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

/** Places that the server does not know yet. */
const pickedPlaces = signal<readonly DestinationName[] | null>(null);

/** Null: all agents. */
export const onlyAgent = computed(
  () => agents.value.find(({ id }) => id === pickedAgent.value && agents.value.length > 1) ?? null,
);

/** The ratio of the only agent's own video; null where there are several agents. */
export const onlyRatio = computed<AspectRatio | null>(() => {
  const only = onlyAgent.value ?? (agents.value.length === 1 ? agents.value[0] : undefined);
  return only === undefined ? null : ownRatioOf(placeOf(only.id));
});

/** Where the videos go. */
export const chosenPlaces = computed(() => pickedPlaces.value ?? state.value?.places ?? []);

/** `own`: with places, the shape of each place. */
export const chosenShapes = computed<RatioChoice>(() => {
  const asked = pickedShapes.value ?? state.value?.shapes ?? null;
  if (chosenPlaces.value.length > 0) return asked ?? 'own';
  const choice = asked ?? existingShapes();
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

/** What the listing says for each agent of the render. */
const saidRatios = computed(() =>
  agents.value
    .filter(({ id }) => onlyAgent.value === null || id === onlyAgent.value.id)
    .map(({ id }) => listingValue(['agents', placeOf(id), 'video_options', 'ratio'])),
);

/** The listing says the shape of every agent of the render, so no place does. */
export const isShapeSaid = computed(() => saidRatios.value.every(isRatio));

/** Holds at once, and is remembered for the listing. */
export function choosePlace(name: DestinationName, isChosen: boolean): void {
  const others = chosenPlaces.value.filter((each) => each !== name);
  const places = isChosen ? [...others, name] : others;
  pickedPlaces.value = places;
  void request('POST', 'places', { places }).then((isKnown) => {
    if (isKnown && pickedPlaces.value === places) pickedPlaces.value = null;
  });
}

/** The shapes that a place gets, and whether the listing says them in place of the place. */
export function shapesFor(name: DestinationName): {
  readonly ratios: readonly AspectRatio[];
  readonly isOfAgent: boolean;
} {
  const shapes = chosenPlaces.value.length === 0 ? 'own' : chosenShapes.value;
  if (shapes !== 'own') return { ratios: shapes === 'both' ? RATIOS : [shapes], isOfAgent: false };
  const own = saidRatios.value;
  const usual = destinationOf(name).ratio?.value ?? '1920:1080';
  const ratios = RATIOS.filter((ratio) => own.some((said) => (isRatio(said) ? said : usual) === ratio));
  return { ratios: ratios.length === 0 ? [usual] : ratios, isOfAgent: own.some(isRatio) };
}

function isRatio(value: unknown): value is AspectRatio {
  return RATIOS.some((ratio) => ratio === value);
}

export function renderRequest(): RenderRequest {
  const shapes = chosenShapes.value;
  return {
    ...(onlyAgent.value !== null && { agents: [onlyAgent.value.id] }),
    ...(shapes !== 'own' && { ratios: shapes === 'both' ? RATIOS : [shapes] }),
    ...(chosenPlaces.value.length > 0 && { destinations: chosenPlaces.value }),
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

function isInRender(video: MadeVideo): boolean {
  const { agent_id: agent, has_agent_left: hasLeft, has_chosen_template, is_named_for_places } = video;
  if (hasLeft || has_chosen_template || is_named_for_places) return false;
  return onlyAgent.value === null || agent === onlyAgent.value.id;
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
