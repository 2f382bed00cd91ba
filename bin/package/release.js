/**
 * Prepares a release: `npm run release` checks the work tree, CHANGELOG.md and the version, runs the suite, makes all packages, and prints
 * what to publish where. It publishes nothing.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readHomepage } from './homepage.js';
import { ROOT } from './stage.js';

/**
 * @param {object} state
 * @param {string} state.changes - What `git status --porcelain` prints.
 * @param {string} state.tags - What `git tag --list` prints.
 * @param {string} state.version - Of package.json.
 * @param {string} state.lockVersion - Of package-lock.json.
 * @param {string} state.changelog - CHANGELOG.md.
 * @returns {string[]} What stands in the way of a release, each with what to do.
 */
export function findProblems({ changes, tags, version, lockVersion, changelog }) {
  const problems = [];
  if (changes.trim() !== '')
    problems.push(`the work tree has changes: commit or remove them\n${changes.trimEnd()}`);
  if (lockVersion !== version) problems.push(`package-lock.json is of ${lockVersion}: run npm install`);
  if (tags.split('\n').includes(`v${version}`)) {
    problems.push(
      `${version} was released, because the tag v${version} exists: raise the version in package.json`,
    );
  }
  const [, title = 'no section', text = ''] = /^## (.*)\n([^#]*)/m.exec(changelog) ?? [];
  const [, named, date] = /^(\S+) - (\d{4}-\d\d-\d\d)$/.exec(title) ?? [];
  if (named === undefined && changelog.includes(`\n## ${version} - `)) {
    problems.push(
      `CHANGELOG.md has "${title}" above ${version}: choose the next version, run npm version --no-git-tag-version VERSION, and name the section "VERSION - YYYY-MM-DD"`,
    );
  } else if (named !== version || Number.isNaN(Date.parse(date))) {
    problems.push(
      `CHANGELOG.md begins with "${title}", expected "${version} - YYYY-MM-DD": name version and date there`,
    );
  } else if (text.trim() === '') problems.push(`CHANGELOG.md says nothing about ${version}: say what is new`);
  return problems;
}

/** @returns {string} Which file goes where. */
export function formatPlan({ version, names, homepage }) {
  const having = (pattern) => names.filter((name) => pattern.test(name)).map((name) => `  packages/${name}`);
  return [
    `Version ${version} is ready. Publish it yourself:`,
    '',
    `1. git tag v${version} && git push origin v${version}`,
    '2. Attach these files to the release of that tag, with its section of CHANGELOG.md as text:',
    ...having(/\.(?:tar\.[gx]z|zip|mcpb|deb)$|-source\.tar$|^SHA256SUMS$/),
    '3. Load the images, and push them to your registry:',
    ...having(/-image-/),
    '4. npm: nothing. Nobody owns the name listing-video there.',
    ...(homepage === ''
      ? [
          '5. No text says where you are. If readers should find you, run `npm run homepage -- https://…` before.',
        ]
      : []),
    '',
  ].join('\n');
}

function readState() {
  const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  const read = (name) => readFileSync(path.join(ROOT, name), 'utf8');
  return {
    changes: git('status', '--porcelain'),
    tags: git('tag', '--list'),
    version: JSON.parse(read('package.json')).version,
    lockVersion: JSON.parse(read('package-lock.json')).version,
    changelog: read('CHANGELOG.md'),
  };
}

function release() {
  const problems = findProblems(readState());
  for (const problem of problems) console.error(`release: ${problem}`);
  if (problems.length > 0) return 1;
  for (const words of [['test'], ['run', 'package']])
    execFileSync('npm', words, { cwd: ROOT, stdio: 'inherit' });
  const { version } = readState();
  const names = readdirSync(path.join(ROOT, 'packages')).filter(
    (name) => name.includes(version) || name === 'SHA256SUMS',
  );
  console.log(formatPlan({ version, homepage: readHomepage(), names: names.sort() }));
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = release();
