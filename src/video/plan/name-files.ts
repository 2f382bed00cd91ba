/** File names of a task: readable names after the agents, or names for the web that cannot be guessed. */
import { createHmac, randomBytes } from 'node:crypto';
import { safeNames } from '../../platform/disk/safe-name.ts';

/** 128 bits: as many as a random UUID claims to have. */
const NAME_BYTES = 16;

/** Such names with their ending, as {@link nameFiles} makes them with a secret: base64url of 16 bytes. */
export const UNGUESSABLE_NAME = /^[A-Za-z0-9_-]{22}\.(?:mp4|jpg|gif)$/;

export function newNameSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Names without an ending, one per agent id, in the same order.
 *
 * @param secret - Each name is a keyed hash of the id: the same at every attempt, and one name does not reveal another.
 * @param unbranded - Ids of videos without branding. Their names must not show an agent either: they are `unbranded`,
 *   `unbranded-2` and so on.
 */
export function nameFiles(
  agentIds: readonly string[],
  secret: string | undefined,
  unbranded: ReadonlySet<string> = new Set(),
): string[] {
  if (secret === undefined) return safeNames(withoutBranding(agentIds, unbranded));
  return agentIds.map((id) => {
    // UTF-16 and not UTF-8, which would make all lone surrogates one.
    const hash = createHmac('sha256', secret).update(id, 'utf16le').digest();
    return hash.subarray(0, NAME_BYTES).toString('base64url');
  });
}

function withoutBranding(agentIds: readonly string[], unbranded: ReadonlySet<string>): string[] {
  const taken = new Set(agentIds.filter((id) => !unbranded.has(id)));
  return agentIds.map((id) => {
    if (!unbranded.has(id)) return id;
    let name = 'unbranded';
    for (let number = 2; taken.has(name); number++) name = `unbranded-${number}`;
    taken.add(name);
    return name;
  });
}
