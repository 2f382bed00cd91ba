/** The guides of `listing-video help`, in the order in which it lists them. */
import { readFile } from 'node:fs/promises';
import { codeFile } from '../../platform/program-files.ts';

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
  templates: 'choose a template or make your own',
  music: 'choose the music or turn it off',
  settings: 'options, environment variables, project file and saved defaults',
  'exit-codes': 'what each exit code means',
  questions: 'privacy, web, youtube, square, voice, music-rights',
};

/** Sections of the guide to questions, which `help` prints one by one: the word, and the heading in `questions.md`. */
const QUESTIONS: Readonly<Record<string, string>> = {
  privacy: 'Privacy',
  web: 'Videos on a website',
  youtube: 'YouTube',
  square: 'Square videos',
  voice: 'Voice-over',
  'music-rights': 'Rights to the music',
};

/** All words that `help` has a text for, beside the commands, and what each is about. */
export const HELP_WORDS: Readonly<Record<string, string>> = { ...TOPICS, ...QUESTIONS };

/** @param word - One of `HELP_WORDS`. @returns Markdown. */
export async function readGuide(word: string): Promise<string> {
  const heading = QUESTIONS[word];
  const topic = heading === undefined ? word : 'questions';
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
