/** In place of `cosmiconfig`: graphile-worker must not read, or run, a configuration file of the folder in which a command starts. */
export const cosmiconfigSync = () => ({ search: () => null });
