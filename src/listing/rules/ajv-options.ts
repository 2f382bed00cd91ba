/** How Ajv is set, whether it compiles at run time or at build time. */

/**
 * Options of an Ajv for the listing schema; the formats `uri` and `email` come on top.
 *
 * The errors carry `data`, `schema` and `parentSchema`.
 *
 * @param collectAll - Whether to go on after the first error.
 */
export function ajvOptions(collectAll: boolean) {
  return {
    allErrors: collectAll,
    verbose: true,
    allowUnionTypes: true,
    // The schema is ours and a test holds it against the meta-schema; to do so here would cost 50 ms of every start.
    validateSchema: false,
    meta: false,
    // Violations have their own wording.
    messages: false,
  } as const;
}
