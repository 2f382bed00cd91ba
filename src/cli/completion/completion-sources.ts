/** Offers the templates, tasks and accounts of this machine as words. */
import { existsSync } from 'node:fs';
import type { AccountStore } from '../../task/accounts/account-store.ts';
import type { TaskState } from '../../task/task.ts';
import type { CommandRun } from '../command-run.ts';
import { ownTemplatesDirs } from '../templates/find-template.ts';

/** More would be too many to choose from. */
const MAX_TASKS = 50;

/** Words from the data of this machine. */
export type CompletionSources = ReturnType<typeof completionSources>;

/** Each list is read when it is needed. */
export function completionSources(run: CommandRun) {
  return {
    templates: async () => {
      const { readTemplateSummaries } = await import('../templates/read-template-summaries.ts');
      const templates = await readTemplateSummaries(await ownTemplatesDirs(run));
      return templates.flatMap(({ id, name }) => (name === null ? [] : [{ word: id, about: name }]));
    },
    /** Newest first. @param states - Null: in any state. */
    tasks: async (states: readonly TaskState[] | null) => {
      // Tab must not wait for a server.
      if ((await run.settings()).server !== undefined) return [];
      const { engine } = await run.backend();
      const pages = await Promise.all(
        (states ?? [undefined]).map((state) =>
          engine.list({ limit: MAX_TASKS, ...(state === undefined ? {} : { state }) }),
        ),
      );
      return pages
        .flatMap(({ data }) => data)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .map((task) => ({
          word: task.id,
          about: `${task.state} ${task.summary?.label ?? ''}`.trim(),
        }));
    },
    organizations: async () => {
      const accounts = await accountsOf(run);
      const { data = [] } = (await accounts?.listOrganizations()) ?? {};
      return data.map(({ id, name }) => ({ word: id, about: name }));
    },
    keys: async () => {
      const accounts = await accountsOf(run);
      const { data = [] } = (await accounts?.listKeys()) ?? {};
      return data
        .filter(({ revokedAt }) => revokedAt === null)
        .map(({ id, organizationId }) => ({ word: id, about: organizationId }));
    },
  };
}

/** Undefined without a data folder: opening the accounts would create one. */
async function accountsOf(run: CommandRun): Promise<AccountStore | undefined> {
  const { home } = await run.settings();
  return existsSync(home) ? (await run.backend()).accounts() : undefined;
}
