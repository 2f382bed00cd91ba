/**
 * Ways to say that a house is shown before it is on the market, in the form of `fair-housing.ts`. Data only.
 *
 * Source: MLS Statement 8.0 of the National Association of REALTORS (Clear Cooperation Policy, since May 2020): within one
 * business day of marketing a property to the public, the broker submits the listing to the MLS. Its notes call such
 * marketing coming soon, pre-market, off-market and pocket listings.
 */

const MARKET = '(?:the )?(?:open )?(?:market|mls|zillow)';

export const COMING_SOON: readonly string[] = [
  '(?:coming|launching|listing|arriving|debuting) (?:very |to market )?soon',
  'soon to (?:be listed|market|hit)',
  `coming (?:back )?(?:on |to |onto )${MARKET}`,
  '(?:coming|launching|listing|live) (?:this|next|in early|in late|in) (?:week|weekend|month|spring|summer|fall|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)',
  'coming (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)',
  'pre ?(?:market|mls|listing|launch)',
  'off (?:the )?market',
  'off mls',
  '(?:pocket|whisper|quiet|private|office exclusive) listings?',
  '(?:private|office) exclusive',
  'sneak (?:peek|peak)',
  `before (?:it |we |the home |the house )?(?:hits?|goes on|goes to|reaches|is on|comes to) ${MARKET}`,
  `(?:hits|hitting|about to hit|going on) ${MARKET}`,
  `not (?:yet )?(?:on|listed on) ${MARKET}`,
  // Spanish, French, Portuguese, German, Vietnamese, Tagalog.
  'proximamente',
  '(?:muy )?pronto (?:a la venta|en venta|en el mercado|disponible)',
  'fuera del? mercado',
  'antes de (?:salir|llegar) al mercado',
  'bientot (?:en vente|a vendre|disponible|sur le marche)',
  'em breve',
  'demnachst',
  'sap (?:ra mat|mo ban|len san)',
  'malapit nang? ibenta',
];

/** In scripts that do not part words. */
export const COMING_SOON_PARTS: readonly string[] = [
  '即将上市',
  '即將上市',
  '即将推出',
  '即將推出',
  '近日公開',
  '출시 예정',
  '곧 출시',
];
