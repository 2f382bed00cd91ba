/** Where the videos go: each place with its rule, and the shape that it gets. */
import { describePlace } from '../../video/destinations/describe-place.ts';
import {
  DESTINATION_NAMES,
  type DestinationName,
  destinationOf,
  isUnbrandedPlace,
} from '../../video/destinations/destination-table.ts';
import { ratioWords, sentence } from '../components/words.ts';
import { choosePlace, chosenPlaces, shapesFor } from './render-choice.ts';

export function Places() {
  return (
    <fieldset class="places">
      <legend>Where it goes</legend>
      {DESTINATION_NAMES.map((name) => (
        <div class="place" key={name}>
          <label>
            <input
              type="checkbox"
              aria-describedby={`place-${name}`}
              checked={chosenPlaces.value.includes(name)}
              onChange={({ currentTarget }) => choosePlace(name, currentTarget.checked)}
            />
            {titleOf(name)}
          </label>
          <p class="hint" id={`place-${name}`}>
            {ruleOf(name)}
          </p>
        </div>
      ))}
    </fieldset>
  );
}

/** `YouTube`, at the start of a line. */
export function titleOf(name: DestinationName): string {
  const { title } = destinationOf(name);
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** `9:16, 3 s to 15 min, at most 300 MB.` */
function ruleOf(name: DestinationName): string {
  const rule = describePlace(name) || 'any length';
  return sentence(isUnbrandedPlace(name) ? rule : `${shapeWords(name)}, ${rule}`);
}

/** Says where another shape than the usual one of the place comes from. */
function shapeWords(name: DestinationName): string {
  const { ratios, isOfAgent } = shapesFor(name);
  const usual = destinationOf(name).ratio?.value;
  const words = ratios.map(ratioWords).join(' and ');
  if (usual === undefined || ratios.includes(usual)) return words;
  return `${words} as set under ${isOfAgent ? 'Agents' : 'Shape'} (usual here: ${ratioWords(usual)})`;
}
