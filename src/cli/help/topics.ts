/** The guides of `listing-video help`, in the order in which it lists them. */

export const TOPICS: Readonly<Record<string, string>> = {
  studio: 'edit a listing and see its videos, in the browser',
  listing: 'write a listing file: photos, facts, agents',
  import: 'make listings from MLS data',
  files: 'results of a render, the data folder',
  batch: 'render many listings in one run',
  ci: 'render in GitHub Actions and other CI systems',
  serve: 'run the HTTP API and the web page',
  webhooks: 'let the server tell your program when a task ends',
  storage: 'keep the videos of a server in an S3 bucket',
  'many-machines': 'from one machine to many: database, bucket, servers, workers',
  backup: 'back up the data folder and restore it',
  remote: 'let a server do the work',
  library: 'call listing-video from your own program',
  templates: 'choose a design or make your own',
  music: 'choose the music or turn it off',
  settings: 'options, environment variables, project file and saved defaults',
  'exit-codes': 'what each exit code means',
};

/** Lines for the end of the program's help. */
export function topicLines(): string {
  const width = Math.max(...Object.keys(TOPICS).map((topic) => topic.length));
  const lines = Object.entries(TOPICS).map(([topic, about]) => `  ${topic.padEnd(width)}  ${about}`);
  return ['Guides (listing-video help <topic>):', ...lines].join('\n');
}
