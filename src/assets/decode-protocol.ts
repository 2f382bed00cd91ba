/** What the decoding process is asked and what it answers, over IPC. JSON only: pixels travel as files. */
import type { SupportedFormat } from './sniff-format.ts';

/** Changes whenever the same source bytes would give another master or description: it is part of every digest. */
export const DECODER_VERSION = 'photo-3';

/** Longer side of a photo's master, at most. 1.33 times the 1920 of the output: room for every camera move. */
export const MASTER_LONG_SIDE_PX = 2560;
/** Longer side of a logo's master, at most. */
export const GRAPHIC_LONG_SIDE_PX = 1024;

/** `photo`: opaque YUV master, focus and fingerprint. `graphic`: straight RGBA master, for logos. */
export type ImageKind = 'photo' | 'graphic';

export interface DecodeRequest {
  readonly kind: ImageKind;
  readonly sourcePath: string;
  /** Of the source's bytes, hex. What is decoded is what was hashed, even if the file was exchanged in between. */
  readonly sourceSha256: string;
  readonly format: SupportedFormat;
  readonly maxPixels: number;
  /** Created by the decoder; removed by the parent when anything goes wrong. */
  readonly masterPath: string;
}

export interface DecodedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sourceWidthPx: number;
  readonly sourceHeightPx: number;
  readonly masterBytes: number;
  /** CRC-32 of the master file: it lies in a cache of our own, so only accidents have to be noticed. */
  readonly masterCrc32: number;
  /** Photos only. */
  readonly focus: { readonly x: number; readonly y: number };
  /** Photos only: base64, see `duplicate.ts`; empty for graphics. */
  readonly fingerprint: string;
  /** Graphics only: see `median-color.ts`. */
  readonly medianColor?: string | null;
}

export type DecodeAnswer =
  | { readonly type: 'ready' }
  /** The process cannot work at all, such as when sharp has no build for this machine. */
  | { readonly type: 'unfit'; readonly message: string }
  | { readonly type: 'decoded'; readonly image: DecodedImage }
  | {
      readonly type: 'unusable';
      readonly code: 'too_large' | 'corrupt' | 'unreachable';
      readonly detail: string;
    }
  /** The process has outgrown its memory and ends. */
  | { readonly type: 'outgrown' }
  /** Our own disk or our own bug, not the picture. */
  | { readonly type: 'failed'; readonly errno: string | null; readonly message: string };

/** Sent to a fresh process before its first picture. */
export interface DecoderOptions {
  readonly memoryLimitBytes: number;
}

export type DecodeCommand =
  | { readonly type: 'start'; readonly options: DecoderOptions }
  | { readonly type: 'decode'; readonly request: DecodeRequest };
