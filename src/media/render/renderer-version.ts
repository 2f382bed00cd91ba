/**
 * The renderer's version, part of every segment's key. Raise it whenever the same storyboard, photos and texts give
 * other pixels than before, so that cached segments of an older renderer are not joined to new ones.
 */
export const RENDERER_VERSION = '3';
