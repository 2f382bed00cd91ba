/**
 * What one worker found out about an image, for others that make the same videos: they neither fetch nor check it
 * again. JSON.
 */

import type { DropCode } from '../../design/photo.ts';
import type { DecodedImage, ImageKind } from './decode/decode-protocol.ts';

export type KnownImage = KnownUrl & (KnownMaster | KnownProblem);

interface KnownUrl {
  readonly url: string;
  readonly kind: ImageKind;
}

interface KnownMaster {
  readonly digest: string;
  readonly image: DecodedImage;
}

/** Why an image cannot be used; see `UnusableAsset`. */
interface KnownProblem {
  readonly code: DropCode;
  readonly detail: string;
}
