/** The templates that exist, in short. */

/** One row of `templates list`. */
export interface TemplateSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly ratios: readonly string[];
}

/** All of them, by id. @throws ListingVideoError `template_invalid` for one that breaks the format. */
export async function readTemplateSummaries(): Promise<TemplateSummary[]> {
  const { listTemplates, loadTemplate } = await import('../template/load-template.ts');
  const templates = await Promise.all((await listTemplates()).map((id) => loadTemplate(id)));
  return templates.map(({ id, name, description, ratios }) => ({
    id,
    name,
    description,
    ratios: Object.keys(ratios),
  }));
}
