/**
 * The reason why an asset cannot be used. The class stays in this folder: an unusable asset is a result, not an error.
 */
import type { DropCode } from '../../design/photo.ts';

/** Thrown by the stages of one asset and caught in `prepareAssets`. `message` is the reported reason. */
export class UnusableAsset extends Error {
  readonly code: DropCode;
  readonly detail: string;
  /** Another try, at another time, can succeed: the host does not answer, or is busy. */
  readonly mayPass: boolean;

  /** @param detail - For the client: no stack, no path of this machine, no resolved address. */
  constructor(code: DropCode, detail: string, options: { cause?: unknown; mayPass?: boolean } = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.mayPass = options.mayPass ?? code === 'timeout';
    this.name = 'UnusableAsset';
    this.code = code;
    this.detail = detail;
  }
}
