/** The summary of a video task, which lists show instead of its payload. Pure. */

/** A longer id is cut: a listing's id has no limit of its own. */
const MAX_LABEL_CHARS = 255;

/**
 * The listing's id and the number of its agents, as `TaskSummary`. Null if the payload does not have them.
 *
 * @param payload - A `VideoTaskPayload`, or JSON of any version that was stored as one.
 */
export function summarizePayload(
  payload: unknown,
): { readonly label: string; readonly resultCount: number } | null {
  const listing = fieldOf(payload, 'listing');
  const id = fieldOf(listing, 'id');
  const agents = fieldOf(listing, 'agents');
  if (typeof id !== 'string' || !Array.isArray(agents)) return null;
  return { label: id.slice(0, MAX_LABEL_CHARS), resultCount: agents.length };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
