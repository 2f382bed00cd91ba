/** The caller's organization. */
import { answerJson } from '../context.ts';
import { ANSWER_HEADERS, BETA_PARAMETER, jsonResponse } from '../openapi/document-parts.ts';
import { referRefusals } from '../openapi/refusals.ts';
import type { ServerDeps } from '../server-deps.ts';
import type { Route } from './route.ts';

export const GET_ORGANIZATION: Route<Pick<ServerDeps, 'accounts'>> = {
  method: 'GET',
  path: '/v1/organization',
  access: 'read',
  operation: {
    operationId: 'getOrganization',
    tags: ['Organization'],
    summary: 'Retrieve your organization',
    description: 'Returns the organization of the API key, with its balance.',
    parameters: [BETA_PARAMETER],
    responses: {
      200: jsonResponse('The organization.', ANSWER_HEADERS, 'Organization', {
        metered: { value: { id: 'org_default', balance: 500 } },
      }),
      ...referRefusals([401, 403, 405, 429, 500, 503]),
    },
  },
  handle:
    ({ accounts }) =>
    async (c) => {
      const { id, balance, isMetered } = await accounts.getOrganization(c.get('caller').organizationId);
      const hasDetails = c.get('betas').has('organization-details');
      return answerJson(200, { id, balance, ...(hasDetails ? { is_metered: isMetered } : {}) });
    },
};
