/** The parameter of every path below a task. */
import type { JsonSchema } from '../../listing/rules/schema.ts';
import { TASK_ID_MIN_LENGTH } from '../../api/server/routes/find-task.ts';
import { TASK_EXAMPLES } from '../../api/server/openapi/answer-schemas.ts';

export const TASK_ID_PARAMETER: JsonSchema = {
  name: 'task_id',
  in: 'path',
  required: true,
  description: 'Identifier of the task.',
  schema: { type: 'string', minLength: TASK_ID_MIN_LENGTH },
  example: TASK_EXAMPLES.succeeded.value.id,
};
