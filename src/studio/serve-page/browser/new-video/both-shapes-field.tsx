/** Whether each agent gets a video in both shapes. It is no part of the listing, and stays while the page is open. */
import { signal } from '@preact/signals';

export const inBothShapes = signal(false);

export function BothShapesField() {
  return (
    <div class="both-shapes">
      <label class="switch" for="both-shapes">
        <input
          type="checkbox"
          id="both-shapes"
          aria-describedby="both-shapes-hint"
          checked={inBothShapes.value}
          onChange={({ currentTarget }) => {
            inBothShapes.value = currentTarget.checked;
          }}
        />
        Both shapes
      </label>
      <p id="both-shapes-hint" class="hint">
        A wide and a vertical video for each agent, whatever shape is chosen above.
      </p>
    </div>
  );
}
