/** A value that agents share: one field for all, or where their values differ one for each. */
import type { VNode } from 'preact';
import type { ListingPath } from '../../editor/protocol.ts';
import { afterRender } from '../after-render.ts';
import { announce } from '../announce.tsx';
import { isMixed } from '../forms/agent-data.ts';
import { agentPlaces, agentTitle } from '../forms/listing-edits.ts';
import type { Target } from '../forms/target.ts';
import { view } from '../listing.ts';

interface SharedFieldProps {
  readonly label: string;
  /** Agents that the field changes. */
  readonly places: readonly number[];
  readonly pathOf: (place: number) => ListingPath;
  readonly targetOf: (places: readonly number[]) => Target;
  /**
   * Draws the field of these agents.
   *
   * @param note - Says whose it is.
   * @param isFirst - False for another one of the same value, which needs no hint.
   */
  readonly draw: (target: Target, label: string, note: string | null, isFirst: boolean) => VNode;
}

export function SharedField({ label, places, pathOf, targetOf, draw }: SharedFieldProps) {
  const { listing } = view.value!;
  const all = agentPlaces(listing);
  const [first] = places;
  if (first === undefined) return null;
  if (!isMixed(places, pathOf)) {
    const differs = places.length < all.length && isMixed(all, pathOf);
    return draw(targetOf(places), label, differs ? `Only for ${agentTitle(listing, first)}` : null, true);
  }
  const unify = () => {
    const id = targetOf(places).id;
    targetOf(places).put(targetOf([first]).value);
    announce(`${label}: the same for all agents.`);
    // The button is gone then.
    afterRender(() => document.getElementById(id)?.focus());
  };
  return (
    <fieldset class="mixed">
      <legend>{label}: different for each agent</legend>
      {places.map((place) => (
        <div key={place}>
          {draw(targetOf([place]), `${label}, ${agentTitle(listing, place)}`, null, place === first)}
        </div>
      ))}
      <button type="button" class="quiet" onClick={unify}>
        Use that of {agentTitle(listing, first)} for all
      </button>
    </fieldset>
  );
}
