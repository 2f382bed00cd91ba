/** The version of the pixels. */

/**
 * Part of every segment's key. Raised whenever the same storyboard, photos and texts give other pixels than before, so that
 * no cached segment of an older renderer is joined to a new one.
 */
export const RENDERER_VERSION = '1';
