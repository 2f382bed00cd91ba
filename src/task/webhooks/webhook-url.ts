/** Checks the URL of a webhook, by the rules for the URL of a photo. Pure. */
import { ListingVideoError } from '../../platform/errors.ts';

const MAX_CHARS = 2_083;

/** The URL as it was given. @throws {@link ListingVideoError} `usage`. */
export function requireWebhookUrl(text: string): string {
  const problem = problemOf(text);
  if (problem === null) return text;
  throw new ListingVideoError('usage', `the URL of the webhook ${problem}`, {
    hint: '--url https://example.com/webhooks/videos',
  });
}

function problemOf(text: string): string | null {
  if ([...text].length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`;
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'does not start with https:// or http://';
  if (hostname === '') return 'has no host';
  // They would be in lists and backups, and the signature already proves who sends.
  return username === '' && password === '' ? null : 'has a user name or password';
}
