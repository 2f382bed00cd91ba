/**
 * Checks the host names of a request to a development server. A web page can point its own name at 127.0.0.1 (DNS
 * rebinding) and make a browser send requests here, but it cannot change the name in the Host header. Pure.
 */

/** True for `localhost`, names that end with `.localhost`, 127.0.0.0/8 and ::1. Takes no port. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    ['localhost', '::1', '[::1]'].includes(name) ||
    name.endsWith('.localhost') ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/**
 * @param hosts - Every host of the request: the Host header, and that of a request target in absolute form.
 * @param publicUrl - Its host is allowed too.
 */
export function areHostsAllowed(hosts: readonly string[], publicUrl: string): boolean {
  const own = hostnameOf(new URL(publicUrl).host);
  return hosts.every((host) => {
    const name = hostnameOf(host);
    return name !== null && (name === own || isLoopbackHost(name));
  });
}

/** Host without port, as the URL parser reads it; null if it is not a host. */
function hostnameOf(host: string): string | null {
  // Only host and port are allowed: `127.0.0.1@evil.example` is refused.
  if (!/^[a-z0-9._:[\]-]+$/i.test(host)) return null;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}
