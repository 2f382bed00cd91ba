/** Experimental features, which a request turns on with the header `service-beta`. Pure. */

/** Every beta, with its effect as the API document shows it. Paths of betas are declared with their routes. */
export const BETAS = {
  'task-progress': 'adds `progress` to a task: percent, stage and the seconds left',
  'asset-captions': 'shows the `caption` of each asset in the videos; without it the field is ignored',
  'altered-photos':
    'shows the label of each `altered` asset on its photo, and its `original` after it; without it both fields are ignored',
  'photo-controls':
    'applies `kind`, `focus` and `emphasis` of each asset, and the data layer `length`; without it these are ignored',
  'task-details':
    'adds `listing_id`, `listing_address`, `agent_names`, `created_at` and `warnings` to a task, and `poster_url` to each result',
  'organization-details': 'adds `is_metered` to the organization: whether tasks cost credits',
  'task-events': 'adds `GET /v1/tasks/{task_id}/events`',
  'task-cancel': 'adds `POST /v1/tasks/{task_id}/cancel`',
  templates: 'adds `GET /v1/templates`',
  uploads: 'adds `POST /v1/assets`, and listings can name its URLs; without it such a listing is refused',
} as const;

export type Beta = keyof typeof BETAS;

/** Whether a server offers a beta: with a database and without a bucket there are no uploads. */
export function isOffered(beta: Beta, { uploads }: { readonly uploads: unknown }): boolean {
  return beta !== 'uploads' || uploads !== null;
}

/**
 * The betas that a request turns on, in the order of the header. Unknown names are ignored.
 *
 * @param header - A comma-separated list.
 */
export function activeBetas(header: string | undefined): ReadonlySet<Beta> {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name): name is Beta => Object.hasOwn(BETAS, name)));
}
