/** Headers of every answer, whatever it is: they keep a browser from making of it what it is not. */

/** For answers that are data. The page brings a policy of its own, which wins. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/** The same for result files, which are made to be shown on other people's pages. */
export const FILE_SAFETY_HEADERS: Readonly<Record<string, string>> = {
  ...SAFETY_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
  // Whoever has the address may see the file; search engines need not have it.
  'x-robots-tag': 'noindex',
};
