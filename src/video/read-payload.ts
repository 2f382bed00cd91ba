/** Checks a payload that comes from the store, because its file can have been edited by hand. Pure. */
import path from 'node:path';
import { ListingVideoError } from '../errors.ts';
import { validateListing } from '../listing/rules/validate-listing.ts';
import type { VideoTaskPayload } from './video-task.ts';

type Rule = readonly [place: string, isValid: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === 'string';
const isAbsent = (value: unknown) => value === undefined;
const isPath = (value: unknown) => isText(value) && path.isAbsolute(value as string);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isOneOf = (choices: readonly unknown[]) => (value: unknown) => choices.includes(value);

const RULES: readonly Rule[] = [
  ['listingFile', (value) => value === null || isPath(value)],
  ['baseDir', (value) => value === null || isPath(value)],
  ['outputDir', isPath],
];

const OPTION_RULES: readonly Rule[] = [
  ['quality', isOneOf(['draft', 'standard', 'high'])],
  ['minAssets', Number.isInteger],
  ['force', (value) => typeof value === 'boolean'],
  ['templateId', (value) => isAbsent(value) || isText(value)],
  ['music', (value) => isAbsent(value) || isText(value)],
  ['ratio', isOneOf([undefined, '1920:1080', '1080:1920'])],
  ['preview', isOneOf([undefined, true, false])],
  ['alsoUnbranded', isOneOf([undefined, true, false])],
  [
    'templateData',
    (value) => isAbsent(value) || (isRecord(value) && Object.values(value).every((text) => isText(text))),
  ],
];

/**
 * @param value - The task's payload as stored.
 * @throws {@link ListingVideoError} `store_corrupt` with the first invalid field.
 */
export function readPayload(value: unknown, taskId: string): VideoTaskPayload {
  const payload = isRecord(value) ? value : {};
  const options = isRecord(payload.options) ? payload.options : {};
  const result = validateListing(payload.listing, { allowLocalFiles: payload.baseDir !== null });
  const problems = [
    ...RULES.filter(([name, isValid]) => !isValid(payload[name])).map(([name]) => name),
    ...OPTION_RULES.filter(([name, isValid]) => !isValid(options[name])).map(([name]) => `options.${name}`),
    ...(result.ok ? [] : result.violations.map(({ loc }) => ['listing', ...loc.slice(1)].join('.'))),
  ];
  if (problems.length === 0) return value as VideoTaskPayload;
  const rest = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  throw new ListingVideoError(
    'store_corrupt',
    `the stored request of task ${taskId} is damaged: "${problems[0]}" is missing or has the wrong type${rest}`,
    { hint: 'run create with the listing again; other tasks are not affected', context: { problems } },
  );
}
