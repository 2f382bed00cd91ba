/** Experimental features, asked for by the header `service-beta`. Pure. */

/** Every beta there is, with what it does. */
export const BETAS = {
  'task-progress': 'adds `progress` to a task: percent, stage and the seconds left',
} as const;

/**
 * The betas that a request asks for and that exist, in their order; unknown names are ignored.
 *
 * @param header - A comma-separated list.
 */
export function inForce(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => Object.hasOwn(BETAS, name)));
}
