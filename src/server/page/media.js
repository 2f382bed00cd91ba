/** Videos and previews of results: where they are loaded from, and a first frame that is fetched only when it is seen. */
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

/** The video with controls; `name` says whose it is. */
export function player(result, name) {
  return h('video', {
    controls: true,
    playsinline: true,
    preload: 'metadata',
    'aria-label': name,
    src: firstFrame(mediaUrl(result.url)),
  });
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    target.src = target.dataset.src;
  }
});

/** A still of the video's first frame, for the eye only: the link beside it says the rest. */
export function poster(result) {
  const video = h('video', {
    muted: true,
    playsinline: true,
    preload: 'metadata',
    tabindex: '-1',
    'aria-hidden': 'true',
    disablepictureinpicture: true,
    'data-src': firstFrame(mediaUrl(result.url)),
  });
  seen.observe(video);
  return video;
}

/** Safari shows no frame of a video that has not been played, unless a moment of it is asked for. */
function firstFrame(url) {
  return `${url}#t=0.001`;
}
