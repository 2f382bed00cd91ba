/** Writes the files that are made by code of the program: schemas, validators, the manual page, and files of the web page. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { folderOf } from './tools.js';

const FONTS = path.join('design', 'text', 'fonts');

export async function makeFiles(root, staging, { isForPackage }) {
  const program = await loadProgram(root, staging);
  await Promise.all([
    writeValidators(root, staging, program),
    // Those of an earlier build are taken over.
    isForPackage && program.packFonts(path.join(staging, FONTS), path.join(root, 'dist', FONTS)),
  ]);
  writeSchemas(root, staging, program);
  writeManual(root, staging, program);
  copyPageFiles(path.join(staging, 'studio', 'serve-page', 'packages'));
}

/** The parts of the program that only the build calls. */
async function loadProgram(root, staging) {
  const file = path.join(staging, 'made-by.js');
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `
        export { LISTING_SCHEMA, listingFileSchema } from './src/listing/rules/schema.ts';
        export { buildValidator } from './src/listing/rules/build-validator.ts';
        export { OUTCOME_SCHEMA, PAYLOAD_SCHEMA } from './src/video/video-task-schema.ts';
        export { reportSchema } from './src/video/publish/report.ts';
        export { formatManual } from './src/cli/format-manual.ts';
        export { packFonts } from './src/design/text/fonts/pack-fonts.ts';`,
      resolveDir: root,
    },
    outfile: file,
    bundle: true,
    define: { WAY_TO_DIST: '"."' },
    packages: 'external',
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const program = await import(pathToFileURL(file).href);
  rmSync(file);
  return program;
}

/** The schemas as code. */
async function writeValidators(
  root,
  staging,
  { buildValidator, LISTING_SCHEMA, PAYLOAD_SCHEMA, OUTCOME_SCHEMA },
) {
  const schemas = { listing: LISTING_SCHEMA, 'task-payload': PAYLOAD_SCHEMA, 'task-outcome': OUTCOME_SCHEMA };
  for (const [name, schema] of Object.entries(schemas)) {
    await build({
      stdin: { contents: buildValidator(schema), resolveDir: root },
      outfile: path.join(staging, 'listing', 'rules', `${name}-validator.cjs`),
      bundle: true,
      format: 'cjs',
      platform: 'node',
      charset: 'utf8',
      minifyWhitespace: true,
      logLevel: 'error',
    });
  }
}

/** The schemas of listings and reports as files for editors and programs, each from its one source. */
function writeSchemas(root, staging, { listingFileSchema, reportSchema }) {
  const schemas = { 'listing/listing': listingFileSchema(), 'video/report': reportSchema() };
  for (const [name, schema] of Object.entries(schemas)) {
    const file = path.join(staging, `${name}.schema.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  }
  // Users' files name these schemas by their path in the package, so they stay where the first version had them.
  const kept = {
    'cli/batch/batch-events.schema.json': 'cli/create/batch-events.schema.json',
    'cli/batch/batch-manifest.schema.json': 'cli/create/batch-manifest.schema.json',
    'settings/listing-video.config.schema.json': 'platform/settings/listing-video.config.schema.json',
  };
  for (const [place, source] of Object.entries(kept)) {
    mkdirSync(path.dirname(path.join(staging, place)), { recursive: true });
    cpSync(path.join(root, 'src', source), path.join(staging, place));
  }
}

/** The manual page, from the commands themselves. */
function writeManual(root, staging, { formatManual }) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  mkdirSync(path.join(staging, 'man'));
  writeFileSync(path.join(staging, 'man', 'listing-video.1'), formatManual(version));
}

/**
 * What browsers load of the viewer of the API, and the font of the pages, with their licenses. The package of the viewer would
 * bring a dependency that reports each installation to a third party.
 */
function copyPageFiles(folder) {
  const viewer = folderOf('swagger-ui-dist');
  mkdirSync(folder, { recursive: true });
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css', 'swagger-ui-bundle.js.LICENSE.txt']) {
    cpSync(path.join(viewer, name), path.join(folder, name));
  }
  for (const name of ['LICENSE', 'NOTICE'])
    cpSync(path.join(viewer, name), path.join(folder, `swagger-ui.${name}`));
  const font = folderOf('@expo-google-fonts/eb-garamond');
  cpSync(path.join(font, '400Regular', 'EBGaramond_400Regular.ttf'), path.join(folder, 'eb-garamond.ttf'));
  cpSync(path.join(font, 'LICENSE_FONT'), path.join(folder, 'eb-garamond.LICENSE'));
}
