/** Reads the token of a feed from the environment. It is never part of a message, a file or the command line. */
import { usageError } from '../../cli-error.ts';

/** What names of variables look like by custom. Other words can be the token itself, so they are not repeated. */
const CUSTOMARY_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

/**
 * @param name - Of `--token-env`; undefined for a feed that needs no token.
 * @throws ListingVideoError `usage`.
 */
export function readToken(
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (name === undefined) return null;
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  const token = value?.trim().replace(/^bearer\s+/i, '') ?? '';
  const variable = CUSTOMARY_NAME.test(name) && name.length < 60 ? `the variable ${name}` : 'the variable';
  if (token === '')
    throw usageError(
      `--token-env: ${variable} is not set`,
      'put the token into a variable, and name the variable: export MLS_TOKEN=…, then --token-env MLS_TOKEN',
    );
  // It would end the header, or undici would refuse it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw usageError(`--token-env: ${variable} has characters that a token cannot have`, 'check its value');
  return token;
}
