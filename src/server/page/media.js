/** Videos and stills of results: where they are loaded from. */
import { h } from './dom.js';

const publicUrl = document.querySelector('meta[name="public-url"]').content;

/**
 * The address to load a result's file from: this page's own origin where the file lies below the service's public
 * address, because the page may be open under another name of it (localhost, a tunnel).
 */
export function mediaUrl(url) {
  const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
  return publicUrl !== '' && url.startsWith(base)
    ? new URL(url.slice(base.length), document.baseURI).href
    : url;
}

/** Where the still of a result's video is: every one is published with it, under its name. */
function posterUrl(result) {
  return mediaUrl(result.url).replace(/\.mp4$/, '.jpg');
}

/** The video with controls; `name` says whose it is. Until it plays it costs its index and a still. */
export function player(result, name) {
  return h('video', {
    controls: true,
    playsinline: true,
    preload: 'metadata',
    'aria-label': name,
    poster: posterUrl(result),
    src: mediaUrl(result.url),
  });
}

/** A still of the video, for the eye only: the link beside it says the rest. Takes itself away when it cannot be had. */
export function poster(result) {
  const image = h('img', {
    alt: '',
    'aria-hidden': 'true',
    loading: 'lazy',
    decoding: 'async',
    src: posterUrl(result),
  });
  image.addEventListener('error', () => image.remove());
  return image;
}
