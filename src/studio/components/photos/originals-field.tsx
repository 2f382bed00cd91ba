/** Where the public finds the originals of altered photos. Shown while a photo is altered. */
import { DataField } from '../fields/data-field.tsx';
import { dataPath, layersOf } from '../forms/agent-data.ts';
import { ORIGINALS_LAYER } from '../forms/form.ts';
import { agentPlaces } from '../forms/listing-edits.ts';
import { linkNote, textLayer } from '../forms/property-form.tsx';
import { listingValue, view } from '../listing.ts';
import { assetsOf } from './photo-edits.ts';

export function OriginalsField() {
  const { listing } = view.value!;
  const places = agentPlaces(listing);
  const isNamed = places.some((place) => listingValue(dataPath(place, ORIGINALS_LAYER)) !== undefined);
  const isAltered = assetsOf(listing).some(({ altered }) => altered === true || typeof altered === 'string');
  if (!isNamed && !isAltered) return null;
  const layer = layersOf(places).find(({ name }) => name === ORIGINALS_LAYER) ?? textLayer(ORIGINALS_LAYER);
  return (
    <section class="originals" aria-label="Originals">
      {places.length === 0 && (
        <p class="hint">Add an agent first: the address of the originals is shown in each agent’s video.</p>
      )}
      <DataField
        layer={layer}
        places={places}
        label="Web address of the originals"
        placeholder="e.g. harborpine.example/128/originals"
        hint="Where the public finds the photos as they were. The videos say it in words"
        noteOf={linkNote}
      />
    </section>
  );
}
