/**
 * Debian's packages and sources, without a change to this machine. They come from the archives that this machine trusts, so they have
 * Debian's security fixes of today. Needs `apt-get`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @param {string} work - Empty folder. @returns Words for apt-get(8) with lists, a cache and a status of their own, up to date. */
export function openApt(work, architecture) {
  const folders = { 'Dir::State': path.join(work, 'state'), 'Dir::Cache': path.join(work, 'cache') };
  mkdirSync(path.join(folders['Dir::State'], 'lists', 'partial'), { recursive: true });
  mkdirSync(path.join(folders['Dir::Cache'], 'archives', 'partial'), { recursive: true });
  const status = path.join(work, 'status');
  writeFileSync(status, '');
  const settings = {
    ...folders,
    'Dir::State::status': status,
    'APT::Architecture': architecture,
    'APT::Architectures::': architecture,
    'Debug::NoLocking': '1',
    'Acquire::Retries': '3',
    // Another user could not write to these folders.
    'APT::Sandbox::User': 'root',
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', [...words, '-q', 'update']);
  return words;
}

/** Paths of the archives of `packages`, with all that they depend on. This machine's own packages play no part. */
export function downloadPackages(packages, architecture, work) {
  const words = openApt(work, architecture);
  run('apt-get', [...words, '-qy', '--no-install-recommends', '--download-only', 'install', ...packages]);
  return filesIn(path.join(work, 'cache', 'archives'), '.deb');
}

/** @returns {string[]} Paths of the `.dsc` files of Debian's sources; what they name is beside them. */
export function downloadSources(names, work) {
  const words = openApt(work, 'amd64');
  const form = '$(ORIGIN)\t$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)';
  const archives = run('apt-get', [...words, 'indextargets', '--format', form, 'Identifier: Packages']);
  const lines = archives
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([origin]) => origin === 'Debian')
    .map(([, address, release, component]) => `deb-src ${address} ${release} ${component}\n`);
  if (lines.length === 0) throw new Error('apt-get knows no archive of Debian, from which sources come');
  const list = path.join(work, 'sources.list');
  writeFileSync(list, [...new Set(lines)].join(''));
  words.push('-o', `Dir::Etc::sourcelist=${list}`, '-o', 'Dir::Etc::sourceparts=/dev/null');
  run('apt-get', [...words, '-q', 'update']);
  const folder = path.join(work, 'sources');
  mkdirSync(folder);
  run('apt-get', [...words, '-q', '--download-only', '--only-source', 'source', ...names], folder);
  return filesIn(folder, '.dsc');
}

function filesIn(folder, ending) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => path.join(folder, name));
}

/** @returns {string} What it prints. @throws Error with its messages when it fails. */
export function run(program, words, cwd, env = process.env) {
  return execFileSync(program, words, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 2 ** 20,
  });
}
