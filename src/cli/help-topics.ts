/** The guides of `listing-video help`, in the order in which it lists them. */
import { readFile } from 'node:fs/promises';
import { codeFile } from '../platform/program-files.ts';

export const TOPICS: Readonly<Record<string, string>> = {
  studio: 'edit a listing and see its videos, in the browser',
  listing: 'write a listing file: photos, facts, agents',
  import: 'make listings from MLS data: files, or the API of an MLS',
  files: 'results of a render, the data folder',
  web: 'put a video on a web page',
  batch: 'render many listings in one run',
  ci: 'render in GitHub Actions and other CI systems',
  serve: 'run the HTTP API and the web page',
  mcp: 'let an assistant program make videos',
  webhooks: 'let the server tell your program when a task ends',
  storage: 'keep the videos of a server in an S3 bucket',
  'many-machines': 'from one machine to many: database, bucket, servers, workers',
  backup: 'back up the data folder and restore it',
  remote: 'let a server do the work',
  library: 'call listing-video from your own program',
  templates: 'choose a template or make your own',
  music: 'choose the music or turn it off',
  settings: 'options, environment variables, project file and saved defaults',
  'exit-codes': 'what each exit code means',
  questions: 'privacy, cost, youtube, square, voice, music-rights',
};

/** Sections of the guides that `help` prints one by one: the word, the guide, and the heading in it. */
const SECTIONS: Readonly<Record<string, readonly [topic: string, heading: string]>> = {
  privacy: ['questions', 'Privacy'],
  youtube: ['questions', 'YouTube'],
  square: ['questions', 'Square videos'],
  voice: ['questions', 'Voice-over'],
  'music-rights': ['questions', 'Rights to the music'],
  cost: ['questions', 'Cost'],
  mls: ['import', 'Straight from the MLS'],
  length: ['listing', 'How long the video is'],
  altered: ['listing', 'Altered photos'],
  operate: ['many-machines', 'Operating it'],
  places: ['files', 'Files for YouTube and other places'],
};

/** All words that `help` has a text for, beside the commands, and what each is about. */
export const HELP_WORDS: Readonly<Record<string, string>> = {
  ...TOPICS,
  ...Object.fromEntries(Object.entries(SECTIONS).map(([word, [, heading]]) => [word, heading])),
};

/** Other words that people look for. */
const SYNONYMS: Readonly<Record<string, string>> = {
  '15s': 'length',
  '30s': 'length',
  assistant: 'mcp',
  claude: 'mcp',
  data: 'privacy',
  destinations: 'places',
  duration: 'length',
  facebook: 'places',
  free: 'cost',
  feed: 'mls',
  instagram: 'places',
  license: 'cost',
  price: 'cost',
  reels: 'places',
  reso: 'mls',
  short: 'length',
  staging: 'altered',
  tiktok: 'places',
  'virtual-staging': 'altered',
  'web-page': 'web',
  website: 'web',
};

/** The word of `HELP_WORDS` that these words mean, also in other forms: `music rights`, `website`. */
export function helpWordFor(words: readonly string[]): string | undefined {
  const word = words.join('-').toLowerCase();
  const known = Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word]! : word;
  return Object.hasOwn(HELP_WORDS, known) ? known : undefined;
}

/** @param word - One of `HELP_WORDS`. @returns Markdown. */
export async function readGuide(word: string): Promise<string> {
  const [topic, heading] = SECTIONS[word] ?? [word];
  const text = await readFile(codeFile(`cli/help/${topic}.md`), 'utf8');
  return heading === undefined ? text : sectionOf(text, heading);
}

/** The section as a page of its own. */
function sectionOf(markdown: string, heading: string): string {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  return `# ${section}`;
}

/** Lines for the end of the program's help. */
export function topicLines(): string {
  const width = Math.max(...Object.keys(TOPICS).map((topic) => topic.length));
  const lines = Object.entries(TOPICS).map(([topic, about]) => `  ${topic.padEnd(width)}  ${about}`);
  return ['Guides (listing-video help <topic>):', ...lines].join('\n');
}
