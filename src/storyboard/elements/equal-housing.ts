/** The equal-housing mark: a house with an equal sign, drawn by us. Data only. */

/**
 * SVG path in a square of 100 x 100 units. The inner contour runs against the outer one, so that the hole is a hole under
 * both fill rules; the two bars run with the outer.
 */
export const EQUAL_HOUSING_PATH =
  'M50 4 L98 32 V49 H90 V96 H10 V49 H2 V32 Z ' +
  'M50 19 L23 34.8 V82 H77 V34.8 Z ' +
  'M33 44 H67 V54.5 H33 Z M33 62 H67 V72.5 H33 Z';
