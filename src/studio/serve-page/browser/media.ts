/** The URLs of a result's files. */

/**
 * The URL to load a result's file from. Files below the service's public URL are loaded from this page's own origin,
 * because the page can be open under another name (localhost, a tunnel).
 */
export function mediaUrl(url: string): string {
  const publicUrl = document.querySelector<HTMLMetaElement>('meta[name="public-url"]')?.content ?? '';
  const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
  return publicUrl !== '' && url.startsWith(base)
    ? new URL(url.slice(base.length), document.baseURI).href
    : url;
}
