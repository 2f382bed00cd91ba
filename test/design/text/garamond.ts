/** The style the text tests start from. */
import type { TextStyle } from '../../../src/design/text/text.ts';

export const GARAMOND: TextStyle = {
  family: 'eb-garamond',
  weight: 400,
  italic: false,
  sizePx: 100,
  trackingEm: 0,
  lineHeight: 1.02,
};
