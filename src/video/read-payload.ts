/** A stored payload, taken back out of the store: files can be edited by hand, so nothing in it is taken on trust. Pure. */
import path from 'node:path';
import { ListingVideoError } from '../errors.ts';
import { validateListing } from '../listing/rules/validate-listing.ts';
import type { VideoTaskPayload } from './video-task.ts';

type Rule = readonly [place: string, isSound: (value: unknown) => boolean];

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
 * @param value - What the store holds for the task.
 * @throws {@link ListingVideoError} `store_corrupt` naming what is wrong with it.
 */
export function readPayload(value: unknown, taskId: string): VideoTaskPayload {
  const payload = isRecord(value) ? value : {};
  const options = isRecord(payload.options) ? payload.options : {};
  const verdict = validateListing(payload.listing, { allowLocalFiles: payload.baseDir !== null });
  const problems = [
    ...RULES.filter(([name, isSound]) => !isSound(payload[name])).map(([name]) => name),
    ...OPTION_RULES.filter(([name, isSound]) => !isSound(options[name])).map(([name]) => `options.${name}`),
    ...(verdict.ok ? [] : verdict.violations.map(({ loc }) => ['listing', ...loc.slice(1)].join('.'))),
  ];
  if (problems.length === 0) return value as VideoTaskPayload;
  const rest = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  throw new ListingVideoError(
    'store_corrupt',
    `what task ${taskId} was asked to do is damaged in the store: "${problems[0]}" is missing or of the wrong kind${rest}`,
    { hint: 'run create with the listing again; every other task is unaffected', context: { problems } },
  );
}
