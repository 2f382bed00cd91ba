/** GET /v1/organization: the caller's organization. */
import { type AppContext, answerJson } from '../../api/server/context.ts';
import type { ServerDeps } from '../../api/server/server-deps.ts';

/** The handler, behind `admit`. */
export function getOrganization({ accounts }: Pick<ServerDeps, 'accounts'>) {
  return async (c: AppContext): Promise<Response> => {
    const { id, balance, isMetered } = await accounts.getOrganization(c.get('caller').organizationId);
    const hasDetails = c.get('betas').has('organization-details');
    return answerJson(200, { id, balance, ...(hasDetails ? { is_metered: isMetered } : {}) });
  };
}
