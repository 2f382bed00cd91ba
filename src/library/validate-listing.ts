/** The rules of a listing as a function of the library, with what is probably a slip. */
import type { ListingWarning } from '../listing/listing.ts';
import { findUnknownProperties } from '../listing/rules/unknown-properties.ts';
import {
  type ListingValidation as RuleValidation,
  type ValidateListingOptions,
  validateListing as validateRules,
} from '../listing/rules/validate-listing.ts';
import { warnOfSlips } from '../listing/warnings/warn-of-slips.ts';

/** Valid or not, `warnings` name misspelled properties; of a valid listing also slips in addresses and numbers. */
export type ListingValidation = RuleValidation & { readonly warnings: readonly ListingWarning[] };

/**
 * Validates parsed JSON against the rules of a listing. Never throws, whatever the value.
 *
 * The warnings are those that need neither photos nor a template; `listing-video validate` finds those of both too.
 */
export function validateListing(input: unknown, options: ValidateListingOptions): ListingValidation {
  const validation = validateRules(input, options);
  const slips = validation.ok ? warnOfSlips(validation.listing) : [];
  return { ...validation, warnings: [...findUnknownProperties(input), ...slips] };
}
