/** Whose video the fields below change. Nothing to choose when there is one agent. */
import { Choice } from '../choice.tsx';
import { chooseScope, scope } from '../forms/agent-data.ts';
import { agentPlaces, agentTitle } from '../forms/listing-edits.ts';
import { view } from '../listing.ts';

export function ScopeSelect() {
  const { listing } = view.value!;
  const places = agentPlaces(listing);
  if (places.length < 2) return null;
  const agents = places.map((place) => [String(place), agentTitle(listing, place)] as const);
  return (
    <div class="scope">
      <Choice
        id="form-scope"
        label="In the videos of"
        value={String(scope() ?? '')}
        options={[['', 'all agents'], ...agents]}
        onChange={(value) => chooseScope(value === '' ? null : Number(value))}
      />
    </div>
  );
}
