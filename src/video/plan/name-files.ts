/** What the files of a task are called: for people after the agents, for the web so that no name can be guessed. */
import { createHmac, randomBytes } from 'node:crypto';
import { safeNames } from '../../disk/safe-name.ts';

/** 128 bits: as many as a random UUID claims to have. */
const NAME_BYTES = 16;

/** Names of this kind with their ending, as {@link nameFiles} makes them with a secret: base64url of 16 bytes. */
export const UNGUESSABLE_NAME = /^[A-Za-z0-9_-]{22}\.(?:mp4|jpg|gif)$/;

/** A secret for one task. */
export function newNameSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Names without an ending, one for each agent id, in their order.
 *
 * @param secret - With one, each name is a keyed hash of the id: the same at every attempt, and whoever was given the
 *   video of one agent cannot tell what those of the others are called.
 * @param unbranded - Ids whose films show no branding, so that their names may not either: `unbranded`, and with a number where
 *   there are several.
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
