/**
 * The questions of `init` in their order. A flag answers its question. With `--yes` each other question takes its default;
 * one without a default is a wrong command line.
 */
import path from 'node:path';
import { presetId } from '../../video/photos/preset-id.ts';
import { usageError } from '../cli-error.ts';
import { chooseDesign, type DesignOptions } from './choose-design.ts';
import { choosePhotos, type PhotoOptions } from './choose-photos.ts';
import type { ListingAnswers } from './draft-listing.ts';
import { gatherAgents } from './gather-agents.ts';
import { gatherCaptions, gatherWords } from './gather-words.ts';
import type { Interview } from './interview.ts';
import { isUrl } from './local-file.ts';
import {
  optional,
  type Rule,
  textRule,
  validateArea,
  validateBathrooms,
  validateCount,
  validateState,
} from './validate-answer.ts';

/** What the questions need to know. */
export type GatherOptions = PhotoOptions & DesignOptions;

/** @throws ListingVideoError `usage` for a missing or invalid flag; `cancelled` at Ctrl-C. */
export async function gatherAnswers(ask: Interview, options: GatherOptions): Promise<ListingAnswers> {
  const { given } = options;
  const text = <T>(
    flag: string,
    value: string | undefined,
    message: string,
    rule: Rule<T>,
    preset?: string,
  ) =>
    ask.text({
      key: flag.slice(2),
      flag,
      given: value,
      message,
      rule,
      ...(preset === undefined ? {} : { preset }),
    });
  const { photos, found } = await choosePhotos(ask, options);
  const street = await text('--street', given.street, 'Street and number', optional(textRule('the street')));
  const place = async <T>(flag: string, value: string | undefined, message: string, rule: Rule<T>) =>
    street === null && value === undefined ? null : text(flag, value, message, optional(rule));
  const city = await place('--city', given.city, 'City', textRule('the city'));
  const state = await place('--state', given.state, 'State', validateState);
  const postalRule = textRule('the postal code');
  const postalCode = await place('--postal-code', given.postalCode, 'Postal code', postalRule);
  if (street === null && (city ?? state ?? postalCode) !== null) {
    throw usageError('--street is missing: an address needs a street', '--street "128 Harbor Pine Lane"');
  }
  const id = await text(
    '--id',
    given.id,
    'Id of the listing',
    textRule('an id'),
    presetIdOf(street, photos[0]!.place),
  );
  const countRule = optional(validateCount);
  const facts = {
    bedrooms: await text('--bedrooms', given.bedrooms, 'Bedrooms', countRule),
    bathrooms: await text('--bathrooms', given.bathrooms, 'Bathrooms', optional(validateBathrooms)),
    halfBathrooms: await text('--half-bathrooms', given.halfBathrooms, 'Half bathrooms', countRule),
    squareFeet: await text('--square-feet', given.squareFeet, 'Square feet inside', optional(validateArea)),
  };
  const words = await gatherWords(ask, given);
  const captions = await gatherCaptions(ask, photos, {
    given,
    showPhotos: () => options.viewer.showSheet(found),
    onHint: options.onHint,
  });
  const agents = await gatherAgents(ask, options);
  const design = await chooseDesign(ask, options);
  const address = { street, city, state, postalCode };
  return {
    id,
    photos: photos.map((photo) => photo.place),
    captions,
    ...address,
    ...facts,
    ...words,
    agents,
    ...design,
  };
}

function presetIdOf(street: string | null, photo: string): string {
  return presetId(street, isUrl(photo) ? photo : path.dirname(photo));
}
