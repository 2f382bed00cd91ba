/** The tools for listings: validate, plan, render, look, import. */
import path from 'node:path';
import { ListingVideoError } from '../../platform/errors.ts';
import type { VideoTaskPayload } from '../../video/video-task.ts';
import { usageError } from '../cli-error.ts';
import type { CreateOptions } from '../create/create-options.ts';
import type { Assistant } from './assistant.ts';
import { type ListingSource, readSource } from './listing-source.ts';
import * as schemas from './schemas.ts';
import { takePicture } from './take-picture.ts';
import { followTasks, WAIT_SEC } from './task-tools.ts';
import { partOf, type Tool, type ToolArguments, type ToolCall } from './tool.ts';

const FACTS_HELP =
  'Give a listing file, a whole listing, or a folder of photos with the facts that the person said. If an error says what is missing, ask the person for it.';

export async function listingTools(assistant: Assistant): Promise<readonly Tool[]> {
  const looks = await schemas.lookProperties();
  const source = { ...schemas.SOURCE, ...looks, data: schemas.DATA };
  return [
    {
      name: 'validate_listing',
      title: 'Validate a listing',
      description:
        'Finds what would stop a listing from being rendered, and warns of words, prices and addresses that are probably wrong.',
      input: schemas.LISTING_INPUT,
      output: schemas.VALIDATION,
      isReadOnly: true,
      call: async (args, call) => {
        const { word, stdin } = await readSource(args, assistant);
        const { runValidate } = await import('../validate/run-validate.ts');
        const found = await assistant.runCommand(runValidate, { words: [word], options: {}, stdin }, call);
        const files = (found.files as { file: string }[]).map((each) => ({
          ...each,
          file: nameOf(each.file),
        }));
        return { document: { ...found, files } };
      },
    },
    {
      name: 'plan_video',
      title: 'Plan a video',
      description: `Shows in a few seconds, without rendering, what a video will be: its scenes with times, texts and photos, and one image of all scenes. ${FACTS_HELP}`,
      input: schemas.input(source),
      output: schemas.planSchema(),
      isReadOnly: true,
      call: async (args, call) => {
        const made = await readSource(args, assistant);
        const payloads: VideoTaskPayload[] = [];
        const options = { ...toOptions(args), dryRun: true };
        const { runCreate } = await import('../create/run-create.ts');
        const plan = await assistant.runCommand(
          runCreate,
          { words: [made.word], options, stdin: made.stdin },
          partOf(call, 0, 60),
          { onPayload: (payload) => payloads.push(payload) },
        );
        const sheet = { kind: 'sheet', format: 'jpg' } as const;
        const { image } = await takePicture(
          requireOne(payloads, made),
          sheet,
          assistant,
          partOf(call, 60, 100),
        );
        return { document: withSource(plan, made), images: [image] };
      },
    },
    {
      name: 'create_videos',
      title: 'Create videos',
      description: `Renders the videos of a listing, one for each agent, with posters and a report. It takes a minute or two; if the answer says RUNNING, follow it with get_task. ${FACTS_HELP}`,
      input: schemas.input({
        ...source,
        also_unbranded: {
          type: 'boolean',
          description: 'Also make a video without agent and office, for an MLS.',
        },
        force: {
          type: 'boolean',
          description: 'Render again what is up to date, and replace files of other videos.',
        },
        out: schemas.OUT,
        wait_sec: schemas.wait(WAIT_SEC),
      }),
      output: schemas.TASK_LIST,
      isReadOnly: false,
      isDestructive: true,
      call: async (args, call) => {
        const made = await readSource(args, assistant);
        const { runCreate } = await import('../create/run-create.ts');
        const command = { words: [made.word], options: toOptions(args), stdin: made.stdin };
        const answer = await followTasks(assistant, args.wait_sec, call, (inner, onTask) =>
          assistant.runCommand(runCreate, command, inner, { onTask }),
        );
        return { ...answer, document: withSource(answer.document, made) };
      },
    },
    {
      name: 'preview_frame',
      title: 'See a frame',
      description: `Shows one frame of a video as it will be rendered, at full size. ${FACTS_HELP}`,
      input: schemas.input(
        {
          ...source,
          at_sec: { type: 'number', minimum: 0, description: 'Time in the video, in seconds.' },
        },
        ['at_sec'],
      ),
      output: schemas.PICTURE,
      isReadOnly: true,
      call: async (args, call) => {
        const made = await readSource(args, assistant);
        const payloads: VideoTaskPayload[] = [];
        const { runValidate } = await import('../validate/run-validate.ts');
        const command = { words: [made.word], options: toOptions(args), stdin: made.stdin };
        const { valid, files } = await assistant.runCommand(runValidate, command, call, {
          onPayload: (payload) => payloads.push(payload),
        });
        if (valid !== true)
          throw new ListingVideoError('invalid_listing', 'the listing is not valid', { context: { files } });
        const shot = { kind: 'still', atSec: args.at_sec, format: 'jpg' } as const;
        const { image, preview } = await takePicture(requireOne(payloads, made), shot, assistant, call);
        const { file: _, ...document } = preview;
        return { document, images: [image] };
      },
    },
    {
      name: 'import_listings',
      title: 'Import listings from MLS data',
      description:
        'Writes a listing file for each property of an MLS export: the JSON of a RESO Web API, or a CSV file. It does not download photos. The ' +
        'answer says for each property where its facts came from and what is missing.',
      input: schemas.input(
        {
          format: { enum: ['reso', 'csv'] },
          files: {
            type: 'array',
            minItems: 1,
            items: { type: 'string', minLength: 1 },
            description: 'Paths of the export files; for csv only one.',
          },
          out: { type: 'string', minLength: 1, description: 'Folder of the listings (default: listings).' },
          status: {
            type: 'array',
            items: { type: 'string' },
            description: 'Import only listings with these statuses, such as Active.',
          },
          all: { type: 'boolean', description: 'Also import listings that are off the market or withheld.' },
          license_state: { type: 'string', description: 'State of licenses that name none, such as OR.' },
          replace: {
            type: 'boolean',
            description: 'Also replace listings that people changed after an earlier import.',
          },
          photos: {
            type: 'string',
            description: 'csv: pattern of the photos of each property, such as photos/{ListingId}-*.jpg.',
          },
          map: {
            type: 'object',
            description: 'csv: the field of each column that is not known, such as {"Size": "LivingArea"}.',
          },
        },
        ['format', 'files'],
      ),
      output: await schemas.readSchema('cli/import/import-report.schema.json'),
      isReadOnly: false,
      isDestructive: true,
      call: async (args, call) => ({ document: await importListings(args, call, assistant) }),
    },
  ];
}

/** @throws ListingVideoError `usage` for a folder or pattern of several listings. */
function requireOne(payloads: readonly VideoTaskPayload[], { word }: ListingSource): VideoTaskPayload {
  const [payload, ...others] = payloads;
  if (payload !== undefined && others.length === 0) return payload;
  throw usageError(`${word} names several listings`, 'name one of them');
}

/** A listing that came with the call has no file. */
const nameOf = (file: string): string => (file === '-' ? 'listing' : file);

function withSource(document: object, { made, notes }: ListingSource): object {
  return { ...document, ...(made && { listing_document: made }), ...(notes.length > 0 && { notes }) };
}

/** The arguments of a call as options of `create`. */
function toOptions(args: ToolArguments): CreateOptions {
  const { data, template, ratio, also_ratio: alsoRatio, length, music, quality, preview, out } = args;
  return {
    ...{ template, ratio, alsoRatio, length, music, quality, preview, out, for: args.for },
    ...{ force: args.force, alsoUnbranded: args.also_unbranded },
    ...(data && { data: Object.entries(data).map(([key, value]) => `${key}=${value}`) }),
  };
}

async function importListings(args: ToolArguments, call: ToolCall, assistant: Assistant) {
  const { format, files, status, all, license_state: licenseState, replace, photos, map } = args;
  const { out = 'listings' } = args;
  assistant.locate(out);
  // Where the search for photos starts.
  if (photos !== undefined) assistant.locate(path.dirname(`${photos.split(/[*?{]/)[0]}x`));
  const options = { out, status, all, licenseState, replace, ...(format === 'csv' && { photos }) };
  if (format === 'reso')
    return assistant.runCommand(
      (await import('../import/import-reso.ts')).importReso,
      { words: files, options },
      call,
    );
  const { importCsv } = await import('../import/import-csv.ts');
  const columns = map === undefined ? {} : { map: JSON.stringify(map) };
  return assistant.runCommand(importCsv, { words: files, options: { ...options, ...columns } }, call);
}
