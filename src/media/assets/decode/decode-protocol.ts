/** The IPC messages of the decode process. JSON only; pixels are passed as files. */
import type { ListingPhoto, Photo } from '../../../design/photo.ts';
import type { SupportedFormat } from './sniff-format.ts';

/** Part of every digest. Raise it when the same source bytes give another master or description. */
export const DECODER_VERSION = 'photo-8';

/** Maximum longer side of a photo's master: 1.33 times the 1920 of the output, enough for every camera move. */
export const MASTER_LONG_SIDE_PX = 2560;
/** Maximum longer side of a logo's master. */
export const GRAPHIC_LONG_SIDE_PX = 1024;

/** Maximum longer side of a thumbnail: five of them beside each other fill a usual screen. */
export const THUMBNAIL_LONG_SIDE_PX = 320;

/**
 * `photo`: opaque YUV master, focus and fingerprint. `graphic`: straight RGBA master, for logos. `thumbnail`: opaque
 * RGB master, for people who choose photos; decoding it at its size costs a tenth of a photo's master.
 */
export type ImageKind = 'photo' | 'graphic' | 'thumbnail';

export interface DecodeRequest {
  readonly kind: ImageKind;
  readonly sourcePath: string;
  /** SHA-256 of the source, hex. The decoder refuses a file that changed since it was hashed. */
  readonly sourceSha256: string;
  readonly format: SupportedFormat;
  readonly maxPixels: number;
  /** The decoder creates this file; the parent removes it after a failure. */
  readonly masterPath: string;
}

/** `focus`, `detailCenter`, `subject`, `bareFrom` and `looksLike` are for photos only. */
export interface DecodedImage
  extends Pick<Photo, 'widthPx' | 'heightPx' | 'sourceWidthPx' | 'sourceHeightPx' | 'focus'>,
    Pick<ListingPhoto, 'subject' | 'bareFrom' | 'looksLike'> {
  /** See `detail-center.ts`. */
  readonly detailCenter?: Photo['focus'];
  /** Base64, see `duplicate.ts`; empty for graphics. */
  readonly fingerprint: string;
  /** Photos only: GIF, or PNG with a palette, whose colors are not exact. */
  readonly hasPalette?: boolean;
  /** Graphics only: see `median-color.ts`. */
  readonly medianColor?: string | null;
}

export type DecodeAnswer =
  | { readonly type: 'ready' }
  /** The process cannot work, for example because sharp has no build for this machine. */
  | { readonly type: 'unfit'; readonly message: string }
  | { readonly type: 'decoded'; readonly image: DecodedImage }
  | {
      readonly type: 'unusable';
      readonly code: 'too_large' | 'corrupt' | 'unreachable' | 'unsupported_format';
      readonly detail: string;
    }
  /** The process exceeded its memory limit and ends. */
  | { readonly type: 'outgrown' }
  /** The cause is our disk or a bug, not the image. */
  | { readonly type: 'failed'; readonly errno: string | null; readonly message: string };

export type DecodeCommand =
  /** Sent to a new process before its first image. */
  | { readonly type: 'start'; readonly options: { readonly memoryLimitBytes: number } }
  | { readonly type: 'decode'; readonly request: DecodeRequest };
