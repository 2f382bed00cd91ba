/** The environment variables of this process. Only wiring and this file read them. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
