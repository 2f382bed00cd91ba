/** The templates to choose from, each with a still of this listing in the shape on the stage. */
import { effect, signal } from '@preact/signals';
import { Notes } from '../../components/field.tsx';
import {
  agentsInScope,
  isMixed,
  optionPath,
  optionTarget,
  templateIdOf,
} from '../../components/forms/agent-data.ts';
import { faultsOf } from '../../components/forms/findings.ts';
import { agentTitle } from '../../components/forms/listing-edits.ts';
import { noTemplateWords } from '../../components/forms/no-template.ts';
import { toDataPath } from '../../components/forms/target.ts';
import { listingValue, view } from '../../components/listing.ts';
import type { StudioTemplate } from '../../editor/protocol.ts';
import { ownRatio, shownVideos } from '../shown.ts';
import { showStage } from '../stage/show-stage.ts';

/** Stills are drawn again when the video has not changed for so long, ms. */
const SETTLE_MS = 800;

/** Changes with the shown video, so that the browser asks for new stills. */
const version = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const plan = shownVideos.value[0]?.plan ?? '';
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      version.value = plan;
    },
    version.peek() === '' ? 0 : SETTLE_MS,
  );
});

export function TemplateGallery() {
  const { templates, listing } = view.value!;
  const places = agentsInScope();
  const pathOf = (place: number) => optionPath(place, 'template_id');
  const target = optionTarget('Change template', places, 'template_id');
  const chosen = new Set(places.map(templateIdOf));
  const id = chosen.size === 1 ? [...chosen][0] : null;
  const ratio = shownVideos.value[0]?.ratio ?? ownRatio.value;
  const nameOf = (each: string) => templates.find((template) => template.id === each)?.name ?? each;
  const isText = places.every((place) => typeof (listingValue(pathOf(place)) ?? '') === 'string');
  const unknown = [...chosen]
    .filter((each) => isText && !templates.some((template) => template.id === each))
    .map((each) =>
      noTemplateWords(
        each,
        templates.map((template) => template.id),
      ),
    );
  return (
    <fieldset
      class="gallery"
      data-ratio={ratio}
      aria-labelledby="group-gallery"
      aria-describedby="gallery-notes"
    >
      <div id="gallery-notes">
        {id === null && isMixed(places, pathOf) && (
          <p class="hint">
            {places
              .map((place) => `${agentTitle(listing, place)} has ${nameOf(templateIdOf(place))}`)
              .join(', ')}
            . A choice here is for all.
          </p>
        )}
        <Notes faults={[...faultsOf(target.paths), ...unknown]} />
      </div>
      {templates.map((template) => (
        <TemplateChoice
          key={template.id}
          template={template}
          ratio={ratio}
          isChosen={template.id === id}
          dataPath={template.id === (id ?? templates[0]?.id) ? toDataPath(target.paths) : undefined}
          onChoose={() => {
            target.put(template.id);
            showStage();
          }}
        />
      ))}
    </fieldset>
  );
}

interface TemplateChoiceProps {
  readonly template: StudioTemplate;
  readonly ratio: string;
  readonly isChosen: boolean;
  readonly dataPath: string | undefined;
  readonly onChoose: () => void;
}

function TemplateChoice({ template, ratio, isChosen, dataPath, onChoose }: TemplateChoiceProps) {
  const { id, name, description, from, problem } = template;
  const query = new URLSearchParams({ ratio, of: version.value });
  return (
    <label class="template" data-checked={isChosen}>
      <input
        type="radio"
        name="template"
        value={id}
        checked={isChosen}
        disabled={problem !== null}
        aria-describedby={`template-${id}`}
        data-path={dataPath}
        onChange={onChoose}
      />
      <span class="template-still">
        {problem === null && version.value !== '' && (
          <img src={`/api/templates/${encodeURIComponent(id)}/still?${query}`} alt="" loading="lazy" />
        )}
      </span>
      <span class="template-name">{name}</span>
      <span class="spoken" id={`template-${id}`}>
        {description}
      </span>
      {from !== 'built-in' && (
        <span class="hint" title={from}>
          your own
        </span>
      )}
      {problem !== null && <span class="fault">{problem}</span>}
    </label>
  );
}
