/** The exports of `import … from 'listing-video'`. */

export { type CreateAppOptions, createApp, type ListingVideoApp } from './library/create-app.ts';
export {
  type CreatedVideos,
  type CreateVideosOptions,
  createVideos,
  type TaskProgress,
  type VideoResult,
} from './library/create-videos.ts';
export {
  type ListingValidation,
  /** The former name of {@link ListingValidation}. */
  type ListingValidation as ListingVerdict,
  validateListing,
} from './library/validate-listing.ts';
export type {
  Address,
  Agent,
  AspectRatio,
  Asset,
  Email,
  License,
  Listing,
  ListingWarning,
  Office,
  Phone,
  VideoOptions,
  Violation,
} from './listing/listing.ts';
export type { ValidateListingOptions } from './listing/rules/validate-listing.ts';
export { ERROR_TABLE, type ErrorCode, ListingVideoError } from './platform/errors.ts';
