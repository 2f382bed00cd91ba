/** Security headers of every answer. */

/** For data. The web page sets its own policy instead. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/** For result files, which other sites can embed. */
export const FILE_SAFETY_HEADERS: Readonly<Record<string, string>> = {
  ...SAFETY_HEADERS,
  'cross-origin-resource-policy': 'cross-origin',
  // The URL is the only secret, so search engines must not list it.
  'x-robots-tag': 'noindex',
};
