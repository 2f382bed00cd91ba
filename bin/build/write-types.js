/** Writes the declarations of the library: `index.d.ts` and what it imports. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findCompiler } from './tools.js';

/** @throws Error when the compiler reports errors, which it prints. */
export async function writeTypes(root, staging) {
  const all = path.join(staging, 'declarations');
  // `npm run check` checks types, which takes most of the time.
  await compile(root, ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', all]);
  const used = new Set();
  visit(path.join(all, 'index.d.ts'), used);
  for (const file of used) cpSync(file, path.join(staging, path.relative(all, file)));
  rmSync(all, { recursive: true });
}

async function compile(root, words) {
  const compiler = spawn(process.execPath, [findCompiler(), ...words], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  const exitCode = await new Promise((resolve, reject) =>
    compiler.once('error', reject).once('close', resolve),
  );
  if (exitCode !== 0) throw new Error('the TypeScript compiler reported errors');
}

function visit(file, used) {
  if (used.has(file)) return;
  used.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import\()['"](\.[^'"]+)\.ts['"]/g,
  )) {
    const target = path.join(path.dirname(file), `${specifier}.d.ts`);
    if (existsSync(target)) visit(target, used);
  }
}
