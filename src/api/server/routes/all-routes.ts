/** Every route that clients and operators call, in the order of the API document. */
import { CANCEL_TASK } from './cancel-task.ts';
import { CREATE_TASK } from './create-task.ts';
import { MONITORING_ROUTES } from './monitoring.ts';
import { GET_ORGANIZATION } from './organization.ts';
import { GET_TASK, LIST_TASKS } from './read-tasks.ts';
import type { Route, RouterDeps } from './route.ts';
import { FOLLOW_TASK } from './task-events.ts';
import { LIST_TEMPLATES } from './templates.ts';
import { UPLOAD_ASSET } from './upload-asset.ts';

type DepsOf<R> = R extends Route<infer Deps> ? Deps : never;
export type AllRouteDeps = RouterDeps & DepsOf<typeof CREATE_TASK> & DepsOf<typeof UPLOAD_ASSET>;

export const ALL_ROUTES: readonly Route<AllRouteDeps>[] = [
  LIST_TASKS,
  CREATE_TASK,
  GET_TASK,
  GET_ORGANIZATION,
  CANCEL_TASK,
  FOLLOW_TASK,
  UPLOAD_ASSET,
  LIST_TEMPLATES,
  ...MONITORING_ROUTES,
];
