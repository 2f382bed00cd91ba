/**
 * Why an asset cannot be used, on its way from the stage that found out to the list of dropped assets.
 *
 * This never leaves src/assets: an unusable asset is a result, not a failure of the program.
 */
import type { DropCode } from './photo.ts';

/** Thrown by the stages of one asset and caught in `prepareAssets`. `message` is the reported reason. */
export class UnusableAsset extends Error {
  readonly code: DropCode;
  readonly detail: string;

  /** @param detail - For the client: no stack, no path of ours, no address that a name resolved to. */
  constructor(code: DropCode, detail: string, options?: { cause?: unknown }) {
    super(`${code}: ${detail}`, options);
    this.name = 'UnusableAsset';
    this.code = code;
    this.detail = detail;
  }
}
