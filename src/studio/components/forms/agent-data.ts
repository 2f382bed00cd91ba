/** The look of each agent's video: template, ratio and data layers, for all agents or for one. */
import { signal } from '@preact/signals';
import { applyPatch, isObject, type ListingObject, toPointer, valueAt } from '../../document/json.ts';
import type { ListingPath, PatchOperation, StudioDataLayer, StudioTemplate } from '../../editor/protocol.ts';
import { edit, listingValue, view } from '../listing.ts';
import { chosenAgent } from '../shown-agent.ts';
import { agentPlaces, putValue } from './listing-edits.ts';
import { type Target, toElementId } from './target.ts';

/** Used where an agent names no template. */
export const DEFAULT_TEMPLATE_ID = 'classic';

/** The agent whose look is edited, by the place in the listing; null: all of them. */
const chosenScope = signal<number | null>(null);

/** Places of the agents that an edit of the look changes. */
export function agentsInScope(): readonly number[] {
  const all = agentPlaces(view.value!.listing);
  const place = scope();
  return place === null ? all : [place];
}

/** Null: all agents. */
export function scope(): number | null {
  const all = agentPlaces(view.value!.listing);
  const place = chosenScope.value;
  return place !== null && all.length > 1 && all.includes(place) ? place : null;
}

/** The stage then shows the video of this agent. */
export function chooseScope(place: number | null): void {
  chosenScope.value = place;
  const id = place === null ? null : listingValue(['agents', place, 'id']);
  if (typeof id === 'string') chosenAgent.value = id;
}

export function optionPath(place: number, field: string): ListingPath {
  return ['agents', place, 'video_options', field];
}

export function dataPath(place: number, layer: string): ListingPath {
  return ['agents', place, 'video_options', 'template_data', layer];
}

/** Id of the template that an agent's video has, if it exists. */
export function templateIdOf(place: number): string {
  const id = listingValue(optionPath(place, 'template_id'));
  return typeof id === 'string' ? id : DEFAULT_TEMPLATE_ID;
}

export function templateOf(place: number): StudioTemplate | undefined {
  const id = templateIdOf(place);
  return view.value!.templates.find((template) => template.id === id);
}

/** The layers of these agents' templates, each once. */
export function layersOf(places: readonly number[]): readonly StudioDataLayer[] {
  const layers = places.flatMap((place) => templateOf(place)?.layers ?? []);
  return [...new Map(layers.toReversed().map((layer) => [layer.name, layer])).values()].toReversed();
}

/** One value of `video_options` of these agents. */
export function optionTarget(label: string, places: readonly number[], field: string): Target {
  return sharedTarget(
    label,
    places.map((place) => optionPath(place, field)),
    (listing, place, value) => putValue(listing, optionPath(place, field), value),
  );
}

/** One data layer of these agents. */
export function dataTarget(label: string, places: readonly number[], layer: string): Target {
  return sharedTarget(
    label,
    places.map((place) => dataPath(place, layer)),
    (listing, place, value) => putData(listing, place, layer, value),
  );
}

/** True when these agents have different values of a layer. */
export function isMixed(places: readonly number[], path: (place: number) => ListingPath): boolean {
  return new Set(places.map((place) => JSON.stringify(listingValue(path(place)) ?? null))).size > 1;
}

function sharedTarget(
  label: string,
  paths: readonly ListingPath[],
  put: (listing: ListingObject, place: number, value: unknown) => PatchOperation[],
): Target {
  const [first = []] = paths;
  return {
    id: toElementId(paths.length === 1 ? first : [...first, 'all']),
    paths,
    value: listingValue(first),
    put: (value, options) => {
      const { listing } = view.value!;
      edit(
        label,
        paths.flatMap(([, place]) => put(listing, place as number, value)),
        options,
      );
    },
  };
}

/** Data has no effect without a template, so the first value names the one that the video has. */
function putData(listing: ListingObject, place: number, layer: string, value: unknown): PatchOperation[] {
  const path = ['agents', place, 'video_options'];
  const options = valueAt(listing, path) ?? {};
  const hasTemplate = !isObject(options) || typeof options.template_id === 'string';
  if (hasTemplate || value === undefined) return putValue(listing, dataPath(place, layer), value);
  const named: PatchOperation = {
    op: 'add',
    path: toPointer(path),
    value: { ...options, template_id: DEFAULT_TEMPLATE_ID },
  };
  const rest = putValue(applyPatch(listing, [named]) as ListingObject, dataPath(place, layer), value);
  return rest.length === 0 ? [] : [named, ...rest];
}
