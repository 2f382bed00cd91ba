/** Stores a photo on the service. A service that is busy is asked again. */
import type { FileProgress, StoredFile } from '../../../components/listing.ts';
import { reasonWords, sentence } from '../../../components/words.ts';
import { ApiProblem, upload } from '../api.ts';

/** So often, if the service says when and that is soon. */
const MAX_RETRIES = 5;
const MAX_WAIT_MS = 60_000;

export async function storePhoto(file: File, { onPercent, signal }: FileProgress): Promise<StoredFile> {
  for (let retries = 0; ; retries += 1) {
    try {
      const { body } = await upload(file, onPercent, signal);
      return { url: body.url };
    } catch (error) {
      if (signal?.aborted === true) return { problem: 'It was removed.' };
      if (!(error instanceof ApiProblem)) throw error;
      const waitMs = retries < MAX_RETRIES ? busyMs(error) : null;
      if (waitMs === null) return { problem: problemWords(error) };
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** How long a service is busy that will take the photo then; null for another problem. */
function busyMs({ code, status, retryAfterMs }: ApiProblem): number | null {
  if (code === 'upload_quota_exceeded') return null;
  const isBusy = (status === 429 || status === 503) && retryAfterMs !== null && retryAfterMs <= MAX_WAIT_MS;
  return isBusy ? retryAfterMs : null;
}

function problemWords({ status, code, message, context }: ApiProblem): string {
  if (status === 0) return 'The connection was lost.';
  if (code === 'unusable_asset') return reasonWords(message);
  if (code === 'body_too_large') return 'Too large: a photo can have 25 MB.';
  if (code === 'upload_quota_exceeded')
    return `No room: ${context?.max_files ?? 'too many'} photos of a day are stored already.`;
  return status === 401 ? 'A key is needed.' : sentence(message);
}
