/** The summary of a video task, which lists show instead of its payload. Pure. */
import { addressWords } from '../listing/words/address-words.ts';
import { displayText } from '../listing/words/display-text.ts';

/** Longer texts are cut: neither a listing's id nor its address has a limit of its own. */
const MAX_CHARS = 255;
const MAX_NAME_CHARS = 80;

interface VideoTaskSummary {
  readonly label: string;
  readonly title?: string;
  readonly resultCount: number;
  readonly resultNames: readonly string[];
  readonly warnings?: readonly string[];
}

/**
 * The listing's id, its address, the number and names of its agents, and the warnings of the request, as `TaskSummary`. Null if the payload has no
 * id or no agents.
 *
 * @param payload - A `VideoTaskPayload`, or JSON of any version that was stored as one.
 */
export function summarizePayload(payload: unknown): VideoTaskSummary | null {
  const listing = fieldOf(payload, 'listing');
  const id = fieldOf(listing, 'id');
  const agents = fieldOf(listing, 'agents');
  if (typeof id !== 'string' || !Array.isArray(agents)) return null;
  const warnings = fieldOf(payload, 'warnings');
  const title = titleOf(fieldOf(listing, 'address'));
  return {
    label: id.slice(0, MAX_CHARS),
    ...(title === '' ? {} : { title }),
    resultCount: agents.length,
    resultNames: agents.map(nameOf),
    ...(Array.isArray(warnings)
      ? { warnings: warnings.filter((warning) => typeof warning === 'string') }
      : {}),
  };
}

function nameOf(agent: unknown): string {
  const parts = ['first_name', 'last_name'].map((name) => {
    const value = fieldOf(agent, name);
    return typeof value === 'string' ? value.slice(0, MAX_CHARS) : '';
  });
  return cut(displayText(parts.join(' ')), MAX_NAME_CHARS);
}

/** `128 Harbor Pine Lane, Portland, OR`, or empty. */
function titleOf(address: unknown): string {
  const part = (name: string): string | null => {
    const value = fieldOf(address, name);
    return typeof value === 'string' ? value.slice(0, MAX_CHARS) : null;
  };
  const { short } = addressWords({ street: part('street') ?? '', city: part('city'), state: part('state') });
  return cut(short, MAX_CHARS);
}

function cut(text: string, maxChars: number): string {
  // The cut can leave half a surrogate pair.
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
