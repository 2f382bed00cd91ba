/**
 * Whether a development server may answer under the name a request used. A web page can make a browser send requests to
 * a name of its own that resolves to 127.0.0.1 (DNS rebinding); it cannot make it lie about that name. Pure.
 */

/** True for `localhost` (and names below it), 127.0.0.0/8 and ::1, without a port. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    /^127(?:\.\d{1,3}){3}$/.test(name) ||
    name === '::1' ||
    name === '[::1]'
  );
}

/**
 * @param hosts - Every name the request gave: the Host header and, of a request target in absolute form, its own.
 * @param publicUrl - Its host counts as allowed.
 */
export function areHostsAllowed(hosts: readonly string[], publicUrl: string): boolean {
  const own = hostnameOf(new URL(publicUrl).host);
  return hosts.every((host) => {
    const name = hostnameOf(host);
    return name !== null && (name === own || isLoopbackHost(name));
  });
}

/** Host without port, as the URL parser reads it; null for what is no host. */
function hostnameOf(host: string): string | null {
  // A host is all there may be: `127.0.0.1@evil.example` and the like are refused, not read.
  if (!/^[a-z0-9._:[\]-]+$/i.test(host)) return null;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}
