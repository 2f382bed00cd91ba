/** The URLs of a result's video and still, and their elements. */
import { h } from './dom.js';

const publicUrl = document.querySelector('meta[name="public-url"]').content;

/**
 * The URL to load a result's file from. Files below the service's public URL are loaded from this page's own origin,
 * because the page can be open under another name (localhost, a tunnel).
 */
export function mediaUrl(url) {
  const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
  return publicUrl !== '' && url.startsWith(base)
    ? new URL(url.slice(base.length), document.baseURI).href
    : url;
}

export function hasPoster(result) {
  return typeof result?.poster_url === 'string';
}

/** The video with controls; `name` is its label. Before it plays, the browser loads only its index and a still. */
export function player(result, name) {
  return h('video', {
    controls: true,
    playsinline: true,
    preload: 'metadata',
    'aria-label': name,
    poster: hasPoster(result) ? mediaUrl(result.poster_url) : null,
    src: mediaUrl(result.url),
  });
}

/** A decorative still of a result that {@link hasPoster}; the link beside it has the text. Removes itself if it cannot be loaded. */
export function poster(result) {
  const image = h('img', {
    alt: '',
    'aria-hidden': 'true',
    loading: 'lazy',
    decoding: 'async',
    src: mediaUrl(result.poster_url),
  });
  image.addEventListener('error', () => image.remove());
  return image;
}
