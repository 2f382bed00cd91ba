/** Schemas of the tools, put together from those of listings, reports, tasks, imports and settings. */
import { readFile } from 'node:fs/promises';
import { type JsonSchema, LISTING_SCHEMA } from '../../listing/rules/schema.ts';
import { codeFile } from '../../platform/program-files.ts';
import { TASK_STATES } from '../../task/task.ts';
import { reportSchema } from '../../video/publish/report.ts';
import { OUTCOME_SCHEMA } from '../../video/video-task-schema.ts';

const text = (description: string) => ({ type: 'string', minLength: 1, description });
const listOf = (items: JsonSchema) => ({ type: 'array', items });
const word = { type: 'string' };
const flag = { type: 'boolean' };
const wordOrNull = { type: ['string', 'null'] };
const texts = listOf(word);

/** @param required - Others are optional. */
function object(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required };
}

/** As {@link object}; a misspelled argument must not be lost in silence. */
export function input(properties: JsonSchema, required: readonly string[] = []): JsonSchema {
  return { ...object(properties, required), additionalProperties: false };
}

const { $defs: LISTING_DEFS, properties: FACTS } = LISTING_SCHEMA as Record<
  string,
  Record<string, JsonSchema>
>;

/** The listing of a call: a file, photos and facts, or the whole listing. */
export const SOURCE: JsonSchema = {
  listing_file: text('Path of a listing file. Give this, photos or listing.'),
  listing: {
    type: 'object',
    description:
      'A whole listing, as the input of validate_listing describes it. Relative paths of photos start in the first allowed folder. For ' +
      'captions, several agents or another order, change the listing_document that plan_video returns. Give this, photos or listing_file.',
  },
  photos: text('Path of a folder with at least 5 photos. Give its facts with the arguments below.'),
  order: { enum: ['name', 'time'], description: 'Order of the photos (default: name).' },
  first: text('File name of the photo that opens the video.'),
  altered: {
    ...texts,
    description:
      'Photos that were altered (staged, sky replaced, rendering), each with its label: “living.jpg=Virtually staged”.',
  },
  id: text('Identifier of the listing (default: made from the street or the folder).'),
  address: LISTING_DEFS!.Address,
  ...Object.fromEntries(
    ['bedrooms', 'bathrooms', 'half_bathrooms', 'interior_square_footage'].map((name) => [
      name,
      FACTS![name],
    ]),
  ),
  price: { type: ['string', 'number'], description: 'Such as 749000, or words such as “Price on request”.' },
  status: text('Such as “Just listed”.'),
  open_house: text('Such as “Saturday, 1 to 4 pm”.'),
  headline: text('Words for the opening, above the address.'),
  link: text('A web address that the last scene shows.'),
  agent: {
    ...input(
      {
        name: text('First and last name.'),
        phone: text('In any usual form.'),
        email: text('E-mail address.'),
        license: text('State and number, such as “OR 201234567”.'),
        office: text('Name of the office.'),
        designation: text('Such as REALTOR®.'),
        picture: text('Portrait: a path or a URL.'),
      },
      ['name'],
    ),
    description: 'Default: the agent of the newest video that was made on this machine.',
  },
};

/** The whole schema of a listing, for one tool: others name it. */
export const LISTING_INPUT = {
  ...input({
    listing_file: SOURCE.listing_file,
    listing: object(FACTS as JsonSchema, LISTING_SCHEMA.required as string[]),
  }),
  $defs: LISTING_DEFS,
};

/** Settings that a call can have; `snake_case`, as all arguments. */
const LOOKS = ['template', 'ratio', 'also-ratio', 'length', 'for', 'music', 'quality', 'preview'];

/** How videos look, with the schemas of a project file. */
export async function lookProperties(names: readonly string[] = LOOKS): Promise<JsonSchema> {
  const schema = await readSchema('platform/settings/listing-video.config.schema.json');
  const properties = schema.properties as JsonSchema;
  return Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), properties[name]]));
}

/** Without what only a whole document has. */
export async function readSchema(file: string): Promise<JsonSchema> {
  const { $schema: _, ...schema } = JSON.parse(await readFile(codeFile(file), 'utf8')) as JsonSchema;
  return schema;
}

export const DATA = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Texts for data layers of the template, by name; show_template lists them.',
};
export const OUT = text('Folder of the results (default: videos in the first folder).');
export const wait = (usualSec: number) => ({
  type: 'number',
  minimum: 0,
  maximum: 3600,
  default: usualSec,
  description: 'Answer after this many seconds at the latest. The work goes on.',
});
export const TASK_ID = text('Identifier of the task.');

const place = { loc: listOf({ type: ['string', 'integer'] }), line: { type: ['integer', 'null'] } };
const findings = listOf(object({ ...place, message: word }));
const checked = { file: word, valid: flag, detail: findings, warnings: findings };
export const VALIDATION = object({ valid: flag, files: listOf(object(checked, Object.keys(checked))) }, [
  'valid',
  'files',
]);

const number = { type: 'number' };
const progress = { percent: number, stage: wordOrNull, eta_seconds: { type: ['number', 'null'] } };
export const TASK = object(
  {
    ...{ id: word, state: { enum: TASK_STATES }, failure_message: word, ...OUTCOME_SCHEMA.properties },
    progress: object(progress),
    listing: { ...wordOrNull, description: 'Address or identifier.' },
  },
  ['id', 'state', 'results', 'dropped_assets'],
);
export const TASK_LIST = object({ data: listOf(TASK), has_more: flag, notes: texts }, ['data', 'has_more']);

const described = { id: word, name: wordOrNull, description: wordOrNull };
export const TEMPLATE = object({ ...described, data_layers: listOf({ type: 'object' }) }, ['id']);
export const TEMPLATE_LIST = object({ data: listOf(object(described, ['id'])) }, ['data']);

export const PICTURE = object(
  {
    ...{ template_id: word, ratio: word, shown_sec: listOf(number), warnings: texts },
    video_sec: { ...number, description: 'Length of the video.' },
    dropped_assets: OUTCOME_SCHEMA.properties.dropped_assets,
  },
  ['template_id', 'ratio', 'video_sec'],
);

/** What a dry run says, in the words of report.json. */
export function planSchema(): JsonSchema {
  const { properties, $defs } = reportSchema() as unknown as Record<string, Record<string, JsonSchema>>;
  const { madeVideo, video, scene } = $defs as Record<string, { readonly properties: JsonSchema }>;
  const pick = (from: JsonSchema, ...names: string[]) => names.map((name) => [name, from[name]] as const);
  const scenes = pick(scene!.properties, 'id', 'kind', 'start_sec', 'end_sec', 'texts', 'photos');
  const entry = object(
    Object.fromEntries([
      ...pick(video!.properties, 'agent_id', 'agent_name'),
      ...pick(madeVideo!.properties, 'template_id', 'ratio', 'duration_sec', 'warnings'),
      ['music', word],
      ['scenes', listOf(object(Object.fromEntries(scenes)))],
    ]),
    ['template_id', 'ratio', 'duration_sec', 'scenes'],
  );
  const plan = object(
    {
      ...Object.fromEntries(pick(properties!, 'listing', 'assets', 'dropped_assets', 'warnings')),
      videos: listOf(entry),
      listing_document: { type: 'object', description: 'The listing that was made from photos and facts.' },
      notes: texts,
    },
    ['listing', 'videos', 'dropped_assets', 'warnings'],
  );
  const words = JSON.stringify(plan);
  const used = Object.entries($defs!).filter(([name]) => words.includes(`"#/$defs/${name}"`));
  return { ...plan, $defs: Object.fromEntries(used) };
}
