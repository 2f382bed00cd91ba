/** Leaves out of a body what needs a beta that is off: fields of assets, which are unknown without it, and data layers. Pure. */
import { ASSET_FIELD_BETAS, DATA_BETAS } from '../../listing-betas.ts';

/** The same value without those parts; nothing else is copied or checked. */
export function ignoreBetaFields(body: unknown, betas: ReadonlySet<string>): unknown {
  const fields = offOf(ASSET_FIELD_BETAS, betas);
  const layers = offOf(DATA_BETAS, betas);
  return change(
    change(body, 'assets', (assets) => eachOf(assets, (asset) => without(asset, fields))),
    'agents',
    (agents) =>
      eachOf(agents, (agent) =>
        change(agent, 'video_options', (options) =>
          change(options, 'template_data', (data) => without(data, layers)),
        ),
      ),
  );
}

function offOf(table: Readonly<Record<string, string>>, betas: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(Object.keys(table).filter((name) => !betas.has(table[name]!)));
}

function change(value: unknown, key: string, to: (inner: unknown) => unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return value;
  const changed = to(value[key]);
  return changed === value[key] ? value : { ...value, [key]: changed };
}

function eachOf(list: unknown, to: (item: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list;
  const changed = list.map(to);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

function without(value: unknown, ignored: ReadonlySet<string>): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const kept = entries.filter(([field]) => !ignored.has(field));
  return kept.length === entries.length ? value : Object.fromEntries(kept);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
