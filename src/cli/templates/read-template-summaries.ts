/** Reads a summary of every template, for lists and prompts. */

/** One row of `templates list`. */
export interface TemplateSummary {
  readonly id: string;
  /** Null, as the two below, when the template cannot be used. */
  readonly name: string | null;
  readonly description: string | null;
  readonly ratios: readonly string[];
  /** `none` for a video without agent and office. */
  readonly branding: string | null;
  readonly built_in: boolean;
  /** Why an own template cannot be used; null when it can. */
  readonly problem: string | null;
}

/** All templates by id; a broken one of your own does not hide the others. */
export async function readTemplateSummaries(templatesDirs: readonly string[]): Promise<TemplateSummary[]> {
  const { findTemplates, readTemplate } = await import('../../design/template/load-template.ts');
  const found = await findTemplates({ templatesDirs });
  return Promise.all(
    found.map(async (place): Promise<TemplateSummary> => {
      const { id, isBuiltIn } = place;
      try {
        const { name, description, branding, ratios } = (await readTemplate(place)).template;
        const facts = { ratios: Object.keys(ratios), branding, built_in: isBuiltIn, problem: null };
        return { id, name, description, ...facts };
      } catch (error) {
        if (isBuiltIn) throw error;
        const problem = error instanceof Error ? error.message : String(error);
        return { id, name: null, description: null, ratios: [], branding: null, built_in: false, problem };
      }
    }),
  );
}
