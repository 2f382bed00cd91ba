/** In a file, a license that names no state has that of the house. Pure. */
import { stateCode } from '../words/us-states.ts';

/** As the schema has it. */
const MAX_STATE_CHARS = 64;

/** A copy where something is filled in, else the value itself. What breaks a rule stays as it is. */
export function withLicenseStates(input: unknown): unknown {
  const { address, agents } = toObject(input);
  const { state } = toObject(address);
  const code = typeof state === 'string' ? stateCode(state) : '';
  if (code === '' || code.length > MAX_STATE_CHARS || !Array.isArray(agents)) return input;
  if (!agents.some((agent) => licensesOf(agent).some(lacksState))) return input;
  return {
    ...toObject(input),
    agents: agents.map((agent: unknown) => {
      const licenses = licensesOf(agent);
      if (!licenses.some(lacksState)) return agent;
      const filled = licenses.map((each) => (lacksState(each) ? { ...(each as object), state: code } : each));
      return { ...toObject(agent), licenses: filled };
    }),
  };
}

function licensesOf(agent: unknown): readonly unknown[] {
  const { licenses } = toObject(agent);
  return Array.isArray(licenses) ? licenses : [];
}

function lacksState(license: unknown): boolean {
  const isObject = typeof license === 'object' && license !== null && !Array.isArray(license);
  return isObject && (license as { readonly state?: unknown }).state === undefined;
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
