/** Checks `--data` before anything is rendered: a misspelled key would fill nothing, a wrong length make another video. */

import { clip, nearestLayer } from '../../design/template/data-layers.ts';
import { findTemplate, readTemplate } from '../../design/template/load-template.ts';
import type { Template } from '../../design/template/template.ts';
import type { Agent } from '../../listing/listing.ts';
import { LENGTH_FORMS, parseVideoLength } from '../../platform/video-length.ts';
import { toAgentOptions } from '../../video/plan/agent-options.ts';
import { nearestHint, usageError } from '../cli-error.ts';

/** Where the templates of these videos come from. */
interface DataTarget {
  readonly agents: readonly Agent[];
  /** Of the command line; undefined: each agent's own. */
  readonly templateId: string | undefined;
  readonly templatesDirs: readonly string[];
}

/**
 * @param data - The pairs of `--data`; undefined without the option.
 * @throws ListingVideoError `usage` for a length that is none, and for a key that no template of these videos has.
 *   Nothing is checked when a template cannot be read: that is the error to report, and it is reported later.
 */
export async function requireDataLayers(
  data: Readonly<Record<string, string>> | undefined,
  { agents, templateId, templatesDirs }: DataTarget,
): Promise<void> {
  if (data === undefined || agents.length === 0) return;
  const { length = '' } = data;
  if (length.trim() !== '' && parseVideoLength(length) === null)
    throw usageError(`--data: "length" is "${clip(length)}", expected ${LENGTH_FORMS}`);
  const ids = new Set(agents.map((agent) => toAgentOptions(agent, { templateId }).templateId));
  let templates: Template[];
  try {
    templates = await Promise.all(
      [...ids].map(async (id) => (await readTemplate(await findTemplate(id, { templatesDirs }))).template),
    );
  } catch {
    return;
  }
  const names = [...new Set(templates.flatMap(({ dataLayers }) => dataLayers.map(({ name }) => name)))];
  // A layer that a template leaves out on purpose is a warning, as in template_data.
  const without = templates.flatMap(({ withoutLayers = [] }) => withoutLayers);
  const unknown = Object.keys(data).find((key) => !names.includes(key) && !without.includes(key));
  if (unknown === undefined) return;
  const where = ids.size === 1 ? `the template ${[...ids][0]}` : `the templates ${[...ids].join(', ')}`;
  throw usageError(
    `--data: "${unknown}" is not a data layer of ${where}`,
    nearestHint(
      nearestLayer(unknown, names) ?? unknown,
      names,
      `listing-video templates show ${[...ids][0]}`,
    ),
  );
}
