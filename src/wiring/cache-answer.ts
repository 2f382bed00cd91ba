/** Answers that are asked for more often than they change. */

/** Answers from memory for `maxAgeMs`; callers that come at once share one call. A failure is not remembered. */
export function remember<T>(work: () => Promise<T>, maxAgeMs: number): () => Promise<T> {
  let last: { readonly answer: Promise<T>; readonly atMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (last !== null && nowMs - last.atMs < maxAgeMs) return last.answer;
    const answer = work();
    last = { answer, atMs: nowMs };
    answer.catch(() => {
      last = null;
    });
    return answer;
  };
}
