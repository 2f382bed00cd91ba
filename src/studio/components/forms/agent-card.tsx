/** One agent: who it is, how to reach it, its licenses, its office, and the shape and template of its video. */

import { countWords } from '../../../listing/words/count-words.ts';
import { isObject, toPointer } from '../../document/json.ts';
import type { ListingPath, StudioTemplate } from '../../editor/protocol.ts';
import { afterRender } from '../after-render.ts';
import { announce } from '../announce.tsx';
import { ImageField, Preview } from '../fields/image-field.tsx';
import { LengthField } from '../fields/length-field.tsx';
import { RawNote } from '../fields/raw-note.tsx';
import { SelectField } from '../fields/select-field.tsx';
import { TextField } from '../fields/text-field.tsx';
import { IconButton } from '../icon-button.tsx';
import { edit, hasTemplateForm, listingValue, view, violationsOf } from '../listing.ts';
import { ifEmpty } from '../words.ts';
import { DEFAULT_TEMPLATE_ID, optionTarget } from './agent-data.ts';
import { moveAgent, removeItem } from './agent-edits.ts';
import { Emails, Licenses, Phones } from './agent-lists.tsx';
import { agentTitle, toText } from './listing-edits.ts';
import { noTemplateWords } from './no-template.ts';
import { OfficeFields } from './office-fields.tsx';
import { TEXT_OR_EMPTY } from './read-values.ts';
import { fieldTarget } from './target.ts';

export const RATIO_OPTIONS = [
  ['1920:1080', 'Wide, 16:9'],
  ['1080:1920', 'Vertical, 9:16'],
] as const;

interface AgentCardProps {
  readonly place: number;
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly onMoved: (to: number) => void;
  readonly onRemoved: () => void;
}

export function AgentCard({ place, count, isOpen, onToggle, onMoved, onRemoved }: AgentCardProps) {
  const path: ListingPath = ['agents', place];
  const title = agentTitle(view.value!.listing, place);
  const faults = violationsOf(path, true).length;
  return (
    <li class="agent">
      <details open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
        <summary data-path={toPointer(path)}>
          <span class="image-preview" data-kind="portrait" aria-hidden="true">
            <Preview url={listingValue([...path, 'picture'])} />
          </span>
          <span class="agent-name">
            <span dir="auto">{title}</span>
            <span class="hint" dir="auto">
              {toText(listingValue([...path, 'designation']))}
            </span>
          </span>
          {faults > 0 && <span class="count">{faults}</span>}
          {faults > 0 && <span class="spoken">{countWords(faults, 'fault')} to correct</span>}
        </summary>
        {isOpen && <AgentBody path={path} place={place} />}
      </details>
      <span class="agent-actions">
        {count > 1 && <MoveButtons place={place} count={count} title={title} onMoved={onMoved} />}
        <IconButton
          icon="out"
          label={`Remove ${title}`}
          onClick={() => {
            removeAgent(path, title);
            onRemoved();
          }}
        />
      </span>
    </li>
  );
}

function AgentBody({ path, place }: { readonly path: ListingPath; readonly place: number }) {
  const target = (label: string, name: string) => fieldTarget(`Change ${label}`, [...path, name]);
  return (
    <div class="agent-body">
      <div class="pair">
        <TextField label="First name" target={target('first name', 'first_name')} />
        <TextField label="Last name" target={target('last name', 'last_name')} form={TEXT_OR_EMPTY} />
      </div>
      <TextField
        label="Designation"
        target={target('designation', 'designation')}
        placeholder="e.g. Broker"
      />
      <ImageField label="Portrait" target={target('portrait', 'picture')} purpose="portrait" />
      <Phones path={[...path, 'phones']} />
      <Emails path={[...path, 'emails']} />
      <Licenses path={[...path, 'licenses']} />
      <OfficeFields path={[...path, 'offices']} />
      <VideoFields place={place} />
      <TextField label="Id of the agent" target={target('id of the agent', 'id')} />
    </div>
  );
}

function VideoFields({ place }: { readonly place: number }) {
  const options = listingValue(['agents', place, 'video_options']);
  if (options !== undefined && options !== null && !isObject(options))
    return <RawNote title="Video options" path={['agents', place, 'video_options']} />;
  const { templates } = view.value!;
  const template = optionTarget('Change template', [place], 'template_id');
  const id = toText(template.value);
  return (
    <fieldset class="items">
      <legend>Video</legend>
      <div class="pair">
        <SelectField
          label="Shape"
          target={optionTarget('Change shape', [place], 'ratio')}
          options={[['', 'As the place asks, else 16:9'], ...RATIO_OPTIONS]}
        />
        {templates.length === 0 ? (
          <TextField label="Template" target={template} placeholder={ifEmpty(DEFAULT_TEMPLATE_ID)} />
        ) : (
          <SelectField
            label="Template"
            target={template}
            options={templates.map((each) => [each.id, templateWords(each)] as const)}
            preset={DEFAULT_TEMPLATE_ID}
            hint={templates.find((each) => each.id === (id || DEFAULT_TEMPLATE_ID))?.description}
            {...(id === '' || templates.some((each) => each.id === id)
              ? {}
              : {
                  faults: [
                    noTemplateWords(
                      id,
                      templates.map((each) => each.id),
                    ),
                  ],
                })}
          />
        )}
      </div>
      {!hasTemplateForm() && <LengthField places={[place]} />}
    </fieldset>
  );
}

/** `Classic: an estate catalog`, the first words of the description. */
function templateWords({ name, description }: StudioTemplate): string {
  const [look = ''] = description.split(/[:.;,]/);
  return look.trim() === '' ? name : `${name}: ${look.charAt(0).toLowerCase()}${look.slice(1, 48)}`;
}

interface MoveButtonsProps extends Pick<AgentCardProps, 'place' | 'count' | 'onMoved'> {
  readonly title: string;
}

function MoveButtons({ place, count, title, onMoved }: MoveButtonsProps) {
  const move = (to: number) => {
    edit('Move agent', moveAgent(place, to));
    onMoved(to);
    announce(`${title} is agent ${to + 1} of ${count} now.`);
    const selector = `.agents > li:nth-child(${to + 1}) [data-icon="${to > place ? 'down' : 'up'}"]`;
    afterRender(() => document.querySelector(selector)?.closest('button')?.focus());
  };
  return (
    <>
      <IconButton
        icon="up"
        label={`Move ${title} up`}
        isDisabled={place === 0}
        onClick={() => move(place - 1)}
      />
      <IconButton
        icon="down"
        label={`Move ${title} down`}
        isDisabled={place === count - 1}
        onClick={() => move(place + 1)}
      />
    </>
  );
}

function removeAgent(path: ListingPath, title: string): void {
  edit('Remove agent', removeItem(path));
  announce(`${title} is removed. Undo brings the agent back.`);
  document.getElementById('add-agent')?.focus();
}
