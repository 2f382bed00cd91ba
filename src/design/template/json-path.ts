/** Places in JSON as text: `$.ratios["1920:1080"].scenes.hero[0]`. Pure. */

export type JsonStep = string | number;

/** `$` for no steps. */
export function toJsonPath(steps: readonly JsonStep[]): string {
  const words = steps.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return `$${words.join('')}`;
}

export function parseJsonPath(path: string): JsonStep[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]/g)].map(
    ([, name, quoted, index]) =>
      name ?? (quoted === undefined ? Number(index) : (JSON.parse(quoted) as string)),
  );
}
