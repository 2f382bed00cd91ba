/** Whose video the fields below change. Nothing to choose when there is one agent. */
import { state } from '../state.ts';
import { chooseScope, scope } from '../../components/forms/agent-data.ts';
import { agentPlaces, agentTitle } from '../../components/forms/listing-edits.ts';

export function ScopeSelect() {
  const { listing } = state.value!;
  const places = agentPlaces(listing);
  if (places.length < 2) return null;
  return (
    <div class="scope">
      <label for="form-scope">In the videos of</label>
      <select
        id="form-scope"
        value={scope() ?? ''}
        onChange={({ currentTarget }) =>
          chooseScope(currentTarget.value === '' ? null : Number(currentTarget.value))
        }
      >
        <option value="">all agents</option>
        {places.map((place) => (
          <option key={place} value={place}>
            {agentTitle(listing, place)}
          </option>
        ))}
      </select>
    </div>
  );
}
