/** What a browser shows that opens the studio without its token, such as by a bookmark. */
import { createHash } from 'node:crypto';

const STYLE =
  ':root{color-scheme:light dark}body{max-width:34em;margin:20vh auto;padding:0 24px;font:18px/1.5 system-ui,sans-serif}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HTML = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Studio · Listing video</title>
<style>${STYLE}</style>
<h1>This studio is private</h1>
<p>Open the address that <code>listing-video studio</code> printed in its terminal. It has a token that lets your browser in.</p>
<p>If the studio has stopped, start it again: it prints a new address. If you started it from a menu or by a double click, do that again.</p>
</html>
`;

/** @param headers - Of every answer. */
export function answerPrivatePage(headers: Readonly<Record<string, string>>): Response {
  const policy = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`;
  return new Response(HTML, {
    status: 403,
    headers: {
      ...headers,
      'content-security-policy': policy,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    },
  });
}
