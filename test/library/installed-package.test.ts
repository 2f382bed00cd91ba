/**
 * What `npm pack` packs, installed in another project: its size, its programs, and the examples of the guide to the
 * library against it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { type InstalledPackage, installPackage, ROOT } from './installed-package.ts';

const execute = promisify(execFile);
let installed: InstalledPackage;

beforeAll(async () => {
  installed = await installPackage();
  await cp(path.join(ROOT, 'fixtures', 'small'), path.join(installed.project, 'small'), { recursive: true });
});
afterAll(() => installed.remove());

describe('the package', () => {
  it('holds what it runs on, and nothing that only this checkout needs', () => {
    const paths = installed.files.map((file) => file.path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'README.md',
        '.github/actions/render/action.yml',
        'dist/cli/help/batch.md',
        'bin/listing-video.js',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/listing/listing.schema.json',
        'dist/man/listing-video.1',
        'dist/licenses.txt',
        'dist/media/render/kernel/kernel.wasm',
        'dist/media/assets/decode/yuv-planes.wasm',
        'dist/design/text/fonts/@expo-google-fonts/inter-tight/LICENSE_FONT',
        'dist/studio/serve-page/index.html',
        'dist/studio/serve-page/packages/swagger-ui-bundle.js',
        'fixtures/photos/01-front.jpg',
        'templates/soundtracks/classic-body.m4a',
        'dist/cli/completion/listing-video.zsh',
        'templates/classic/template.json',
      ]),
    );
    const foreign =
      /^(?:build|fixtures\/small|\.ci|node_modules)\/|^(?:src|test)\/.*(?<!\.md|\.schema\.json)$|(?<!\.d)\.ts$|^dist\/man\/(?!listing-video\.1$)/;
    expect(paths.filter((file) => foreign.test(file))).toEqual([]);
  });

  it('has every file that README and the guides link to', async () => {
    const paths = installed.files.map((file) => file.path);
    const pages = paths.filter((file) => /^README\.md$|\/cli\/help\/.*\.md$/.test(file));
    expect(pages.length).toBeGreaterThan(20);
    const links = await Promise.all(
      pages.map(async (page) => {
        const text = await readFile(path.join(installed.home, page), 'utf8');
        return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
          .filter(([, link]) => !/^[a-z]+:/.test(link!))
          .map(([, link]) => ({ page, link: path.posix.join(path.posix.dirname(page), link!) }));
      }),
    );
    const broken = links
      .flat()
      .filter(({ link }) => !paths.some((file) => file === link || file.startsWith(`${link}/`)));
    expect(broken).toEqual([]);
  });

  it('exports every schema under the name of its documents', async () => {
    const { exports } = JSON.parse(await readFile(path.join(installed.home, 'package.json'), 'utf8'));
    const resolve = createRequire(path.join(installed.project, 'index.js')).resolve;
    const names = Object.keys(exports).filter((name) => name.endsWith('.schema.json'));
    expect(names.map((name) => name.slice(2, -'.schema.json'.length)).sort()).toEqual(
      ['config', 'events', 'import-report', 'listing', 'manifest', 'report', 'template']
        .map((name) => (name === 'config' ? 'listing-video.config' : name))
        .sort(),
    );
    for (const name of names) {
      const schema = JSON.parse(await readFile(resolve(`listing-video/${name.slice(2)}`), 'utf8'));
      expect([name, schema.$schema, schema.title ?? schema.$id]).toEqual([
        name,
        expect.stringMatching(/json-schema\.org/),
        expect.any(String),
      ]);
    }
    // A schema that is packed and not exported is one that nobody finds.
    const exported = new Set<string>(Object.values(exports));
    const packed = installed.files.map((file) => file.path).filter((file) => file.endsWith('.schema.json'));
    const copies = /^(?:(?:dist|src)\/cli\/create|src\/cli\/import|dist\/platform\/settings)\//;
    expect(packed.filter((file) => !exported.has(`./${file}`) && !copies.test(file))).toEqual([]);
  });

  it('names no address that belongs to nobody', async () => {
    const manifest = JSON.parse(await readFile(path.join(installed.home, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ keywords: expect.arrayContaining(['real-estate', 'video']) });
    for (const name of ['repository', 'bugs']) expect(manifest).not.toHaveProperty(name);
  });

  it('has no script that npm would run, or warn of, in another project', async () => {
    const { scripts } = JSON.parse(await readFile(path.join(installed.home, 'package.json'), 'utf8'));
    expect(scripts).toMatchObject({ postprepare: 'node bin/prepare.js' });
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(scripts).not.toHaveProperty(name);
  });

  it('decides about every install script of its packages', async () => {
    const { allowScripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    const lock = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8'));
    const packages: [string, { hasInstallScript?: boolean }][] = Object.entries(lock.packages);
    const withScript = packages
      .filter(([place, { hasInstallScript }]) => place !== '' && hasInstallScript)
      .map(([place]) => place.replace(/^.*node_modules\//, ''));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
  });

  it('is small', () => {
    // With all that it needs: two thirds are ffmpeg and sharp. Fifteen soundtracks have 20 MB. Source maps have 1.5 MB packed:
    // stacks of errors name source files.
    expect(installed.installedBytes).toBeLessThan(170_000_000);
    expect(installed.sizeBytes).toBeLessThan(50_000_000);
    // Nobody should be surprised by what made it large.
    const isKnown =
      /^(?:templates\/soundtracks|fixtures\/photos|dist\/chunks|dist\/studio\/serve-page\/packages|dist\/design\/text\/fonts)\/|^templates\/\w+\/sheet\.jpg$|^\.github\/readme-video\.webp$|^dist\/licenses\.txt$|^dist\/wiring\/server\/run-task-entry\.js(?:\.map)?$/;
    const large = installed.files.filter(({ size, path: file }) => size > 200_000 && !isKnown.test(file));
    expect(large).toEqual([]);
  });

  it('has a program that works in another project', async () => {
    const launcher = path.join(installed.project, 'node_modules', 'listing-video', 'bin', 'listing-video.js');
    const { stdout } = await execute(
      process.execPath,
      [launcher, 'validate', 'small/listing.json', '--json'],
      {
        cwd: installed.project,
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ valid: true });
  });
});

describe('without optional packages', () => {
  it('create and serve end with 3 and say what is missing and what helps', async () => {
    // Elsewhere: Node also looks for packages in the folders above.
    const bare = temporaryFolder();
    const modules = path.join(installed.project, 'node_modules');
    await mkdir(path.join(bare, 'node_modules'));
    for (const name of await readdir(modules)) {
      if (name === '@img' || name === '@ffmpeg-installer') continue;
      const to = path.join(bare, 'node_modules', name);
      // Links would lead to the checkout, which has the program of sharp.
      if (!['listing-video', 'sharp'].includes(name)) await symlink(path.join(modules, name), to);
      else await cp(path.join(modules, name), to, { recursive: true, dereference: true });
    }
    await cp(path.join(ROOT, 'fixtures', 'small'), bare, { recursive: true });
    const launcher = path.join(bare, 'node_modules', 'listing-video', 'bin', 'listing-video.js');
    const env = { PATH: '/usr/bin:/bin', LISTING_VIDEO_HOME: path.join(bare, 'home') };
    for (const words of [
      ['create', 'listing.json'],
      ['serve', '--port', '0'],
    ]) {
      const ended = await execute(process.execPath, [launcher, ...words], {
        ...{ cwd: bare, env, timeout: 50_000 },
      }).catch((error: { code: number; stderr: string }) => error);
      expect([words[0], ended]).toEqual([words[0], expect.objectContaining({ code: 3 })]);
      expect(ended.stderr).toContain('the package sharp cannot be used, so no photo can be read');
      expect(ended.stderr).toContain('npm install --include=optional');
    }
  });
});

describe('fonts for further scripts', () => {
  it('are named where they are missing, and found once npm has installed them into the data folder', async () => {
    const folder = path.join(installed.project, 'lao');
    await cp(path.join(ROOT, 'fixtures', 'small'), folder, { recursive: true });
    const listing = JSON.parse(await readFile(path.join(folder, 'listing.json'), 'utf8'));
    listing.agents[0].first_name = 'ລາວ';
    await writeFile(path.join(folder, 'listing.json'), JSON.stringify(listing));
    const font = path.join(ROOT, 'node_modules', '@fontsource-variable', 'noto-sans-lao');
    await cp(font, path.join(folder, 'package'), { recursive: true });
    await execute('tar', ['-czf', 'font.tgz', 'package'], { cwd: folder });
    const launcher = path.join(installed.project, 'node_modules', 'listing-video', 'bin', 'listing-video.js');
    const start = async (...words: string[]) => {
      const env = { ...process.env, LISTING_VIDEO_HOME: path.join(folder, 'home') };
      const { stdout } = await execute(process.execPath, [launcher, ...words, '--json'], {
        cwd: folder,
        env,
      });
      return stdout;
    };
    const advice =
      'no installed font has the character ລ (U+0EA5) and 2 other characters; run: listing-video fonts add lo';
    expect(await start('create', 'listing.json', '--dry-run')).toContain(advice);
    await start('fonts', 'add', './font.tgz');
    expect(JSON.parse(await start('fonts', 'list')).data).toContainEqual(
      expect.objectContaining({ name: 'lo', installed: 'data_folder' }),
    );
    expect(await start('create', 'listing.json', '--dry-run')).not.toContain('U+0EA5');
  });
});

/** The TypeScript of the guide, in its order. */
async function readExamples(): Promise<string[]> {
  const guide = await readFile(path.join(ROOT, 'src', 'cli', 'help', 'library.md'), 'utf8');
  return [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!);
}

describe('the examples of the guide to the library', () => {
  /** Folder of the compiled examples. */
  let built: string;
  /** What the compiler prints: its errors. */
  let printed: string;

  beforeAll(async () => {
    built = path.join(installed.project, 'built');
    await mkdir(path.join(installed.project, 'node_modules', '@types'), { recursive: true });
    for (const name of ['node', 'undici-types']) {
      const at = name === 'node' ? ['@types', 'node'] : [name];
      const link = path.join(installed.project, 'node_modules', ...at);
      await symlink(path.join(ROOT, 'node_modules', ...at), link);
    }
    await writeFile(path.join(installed.project, 'package.json'), '{"type": "module"}');
    const examples = await readExamples();
    await Promise.all(
      examples.map((code, index) => writeFile(path.join(installed.project, `example-${index}.ts`), code)),
    );
    const options = {
      ...{ target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
      ...{ types: ['node'], outDir: built, rootDir: '.' },
    };
    const files = examples.map((_, index) => `example-${index}.ts`);
    await writeFile(
      path.join(installed.project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files }),
    );
    const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const ended = await execute(process.execPath, [tsc, '-p', installed.project]).catch(
      (error: { stdout: string }) => error,
    );
    printed = ended.stdout;
  });

  it('compile against the types that are shipped, whose own imports are all there', () => {
    expect(printed).toBe('');
  });

  it('make the videos of a listing', async () => {
    const folder = path.join(installed.project, 'small');
    const { stdout, stderr } = await execute(process.execPath, [path.join(built, 'example-0.js')], {
      cwd: folder,
      env: { ...process.env, HOME: installed.project, XDG_DATA_HOME: path.join(installed.project, 'data') },
    });
    expect(stdout).toBe(`a file://${path.join(folder, 'videos', 'small', 'a.mp4')}\n`);
    expect(stderr).toMatch(/^render: \d+ %$/m);
  });

  it('that catch no error get a short stack with the names of source files', async () => {
    const file = path.join(installed.project, 'careless.mjs');
    await writeFile(
      file,
      "import { createVideos } from 'listing-video';\nawait createVideos({ id: 'x' });\n",
    );
    const { stderr } = (await execute(process.execPath, [file]).catch((error) => error)) as {
      stderr: string;
    };
    expect(stderr).toMatch(
      / at requireValid \(file:.*\/listing-video\/src\/library\/create-videos\.ts:\d+:\d+\)/,
    );
    expect(stderr).toContain('careless.mjs:2:7');
    expect(stderr.length).toBeLessThan(3000);
  });

  it('report what is wrong with a listing', async () => {
    const folder = path.join(installed.project, 'bad');
    await mkdir(folder);
    await writeFile(path.join(folder, 'listing.json'), '{"id": "x", "assets": []}');
    const ended = await execute(process.execPath, [path.join(built, 'example-0.js')], { cwd: folder }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('body.agents: Field required') });
  });

  it('serve the API', async () => {
    const port = await freePort();
    const file = path.join(built, 'example-1.js');
    const code = (await readFile(file, 'utf8')).replaceAll('8080', String(port));
    await writeFile(file, code);
    const server = spawn(process.execPath, [file], {
      cwd: installed.project,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    const ended = new Promise((resolve) => server.once('exit', (...end) => resolve(end)));
    await untilReady(server);
    const url = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${url}/v1/tasks`)).json()).toEqual({ data: [], has_more: false });
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

function untilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = '';
    server.stderr!.on('data', (text) => {
      stderr += text;
    });
    server.once('exit', () => reject(new Error(`the server ended: ${stderr}`)));
    server.stdout!.on('data', (text) => {
      if (String(text).includes('ready')) resolve();
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
