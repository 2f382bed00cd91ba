/** What is said of a template that does not exist. Pure. */
import { nearestName } from '../../../platform/nearest-name.ts';

/** @param ids - Of the templates that exist. */
export function noTemplateWords(id: string, ids: readonly string[]): string {
  const near = nearestName(id, ids);
  const hint = near === undefined ? `There are ${ids.join(', ')}.` : `Did you mean ${near}?`;
  return `There is no template “${id.slice(0, 60)}”. ${hint}`;
}
