/** The templates of one run, each read once for all agents. */
import { loadTemplate, type TemplateFolders } from './load-template.ts';
import type { Template } from './template.ts';

export interface TemplateCache {
  /**
   * @param agentId - Agent that chose the template; named in the error.
   * @throws As {@link loadTemplate}.
   */
  get(id: string, agentId?: string): Promise<Template>;
}

export function createTemplateCache(folders: TemplateFolders): TemplateCache {
  const templates = new Map<string, Template>();
  return {
    async get(id, agentId) {
      const options = { ...folders, ...(agentId === undefined ? {} : { agentId }) };
      const template = templates.get(id) ?? (await loadTemplate(id, options));
      templates.set(id, template);
      return template;
    },
  };
}
