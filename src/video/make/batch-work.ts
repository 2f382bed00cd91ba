/**
 * What a batch of a divided task is: some of its segments, and the images as the first worker found them. A batch is
 * stored in a database, where a person can edit it. So it is sealed with a secret of its task: what another task or a
 * person wrote is refused.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KnownImage } from '../../media/assets/known-image.ts';
import type { JsonValue } from '../../platform/disk/json-codec.ts';
import { ListingVideoError } from '../../platform/errors.ts';

export interface BatchWork {
  readonly segments: readonly string[];
  readonly images: readonly KnownImage[];
}

/** @param secret - The name secret of the task. */
export function sealBatch(work: BatchWork, secret: string): JsonValue {
  const text = JSON.stringify(work);
  return { work: text, seal: sealOf(text, secret).toString('base64url') };
}

/** @throws {@link ListingVideoError} `store_corrupt` for what {@link sealBatch} did not make with this secret. */
export function openBatch(value: JsonValue, secret: string): BatchWork {
  const { work, seal } = (value ?? {}) as { readonly work?: unknown; readonly seal?: unknown };
  if (typeof work === 'string' && typeof seal === 'string') {
    const given = Buffer.from(seal, 'base64url');
    const right = sealOf(work, secret);
    if (given.length === right.length && timingSafeEqual(given, right)) return JSON.parse(work) as BatchWork;
  }
  throw new ListingVideoError('store_corrupt', 'a stored batch of this task is damaged', {
    hint: 'retry the task; other tasks are not affected',
  });
}

function sealOf(text: string, secret: string): Buffer {
  return createHmac('sha256', `batch ${secret}`).update(text).digest();
}
