/** Removes secrets from text that will be shared. */

const SECRET_NAME =
  /key(?!words)|token|secret|passw|credential|auth|signature|^sig$|cookie|session|(^|[_-])database$/i;
const MARK = '[redacted]';
/** Removing shorter values would damage too much other text. */
const MIN_LENGTH = 6;

/** True for names of variables, flags and URL parameters with secret values. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Values of variables with secret names, and the passwords in addresses of proxies and databases. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (/_proxy$/i.test(name)) return passwordsIn(value);
    return isSecretName(name) && value.length >= MIN_LENGTH ? [value, ...passwordsIn(value)] : [];
  });
}

/** `user:password` and the password of `http://user:password@host:80`, also without the scheme. */
function passwordsIn(address: string): string[] {
  const [, user, password] = /^(?:[a-z]+:\/\/)?([^@/]*?):([^/]*)@/i.exec(address) ?? [];
  if (user === undefined || password === undefined) return [];
  return [`${user}:${password}`, ...(password.length >= MIN_LENGTH ? [password] : [])];
}

/**
 * The text without credentials in URLs (`user:password@`, `?token=`), without bearer tokens and secrets of webhooks,
 * and without `secrets`.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) safe = safe.replaceAll(secret, MARK);
  return safe
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'@]+@/gi, `$1${MARK}@`)
    .replace(/([?&;])([\w.~%-]+)=([^&#\s"'\\<>]*)/g, (whole, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${MARK}` : whole,
    )
    .replace(/\bwhsec_[\w+/=]{6,}/g, MARK)
    .replace(/\b(bearer|basic)\s+[\w+/.~=-]{6,}/gi, `$1 ${MARK}`);
}

/** Words of a command line: `--key VALUE` and `--key=VALUE` lose their values. */
export function redactWords(words: readonly string[], secrets: readonly string[]): string[] {
  return words.map((word, index) => {
    const before = words[index - 1] ?? '';
    if (/^--[\w-]+$/.test(before) && isSecretName(before) && !word.startsWith('-')) return MARK;
    const assigned = /^(--[\w-]+)=/.exec(word);
    if (assigned !== null && isSecretName(assigned[1]!)) return `${assigned[1]}=${MARK}`;
    return redactText(word, secrets);
  });
}
