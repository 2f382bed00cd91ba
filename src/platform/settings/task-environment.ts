/**
 * The environment of the processes that do a server's tasks: they decode the files of strangers, so they get no
 * secrets. Pure.
 */

/** Names of variables that hold secrets, such as `STRIPE_API_KEY`; those of AWS, and of connections to databases. */
const SECRET =
  /(?:^AWS_|^PG|(?:^|_)(?:KEY|SECRETS?|TOKEN|PASS|PASSWORD|PASSWD|CREDENTIALS?|DSN|DATABASE(?:_UR[IL])?)$)/i;
const AWS = /^AWS_/i;

/**
 * @param needsBucket - The task keeps its results in a bucket, so it gets the variables of AWS.
 * @returns The variables without those whose names say that they are secret.
 */
export function taskEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  needsBucket: boolean,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !SECRET.test(name) || (needsBucket && AWS.test(name)));
  return Object.fromEntries(kept);
}
