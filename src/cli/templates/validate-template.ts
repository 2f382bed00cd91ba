/**
 * The work of `templates validate`: first the faults of the file; a valid one is laid out and checked by the layout
 * rules.
 */
import type { FoundTemplate } from '../../design/template/load-template.ts';
import type { TemplateFault } from '../../design/template/place-faults.ts';
import type { TemplateValidation } from '../../design/template/validate-template.ts';
import { countWords } from '../../listing/words/count-words.ts';
import type { ListingToLint, TemplateFinding } from '../../video/templates/lint-template.ts';
import type { CommandRun } from '../command-run.ts';
import { collectInputs, SAMPLE_INPUT } from '../listings/collect-inputs.ts';
import { readContext, readListings } from '../listings/read-listing.ts';
import { invalidListingError } from '../listings/validate-batch.ts';
import { logDroppedAsset } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printJson } from '../terminal/print-json.ts';
import { withProgress } from '../terminal/progress-view.ts';
import { findNamedTemplate, requireTemplatesDir } from './find-template.ts';

/** 0 for a valid template, 1 for findings, 2 for a file that is no template. */
export async function validateTemplate(run: CommandRun): Promise<number> {
  const [word, ...listingWords] = run.args as [string, ...string[]];
  await requireTemplatesDir(run);
  const place = await findNamedTemplate(word, run);
  const { faults, text } = await findFaults(place);
  const document = { template: { id: place.id, file: place.file }, faults };
  if (faults.length > 0) {
    if (run.output.json) {
      printJson(run.terminal, { valid: false, ...document, findings: [], videos: 0 });
    } else {
      const { out } = run.terminal.styles;
      run.terminal.print(
        `${out.red.bold('invalid')}  ${escapeText(place.file)}: ${countWords(faults.length, 'fault')}`,
      );
      for (const line of await formatFaults(run, faults, text)) run.terminal.print(line);
    }
    return 2;
  }
  const listings = await readListingsToLint(run, listingWords);
  const backend = await run.backend();
  const isQuiet = run.output.quiet || !run.terminal.canAnimate;
  const { findings, warnings, videoCount, dropped_assets } = await withProgress(
    run.terminal,
    place.id,
    isQuiet,
    (onProgress) =>
      backend.lint(
        { templateId: place.id, templatesDirs: place.templatesDirs, listings },
        { signal: run.signal, onProgress },
      ),
  );
  for (const asset of dropped_assets) logDroppedAsset(run, asset.listing, asset);
  if (run.output.json) {
    printJson(run.terminal, {
      valid: findings.length === 0,
      ...document,
      findings,
      warnings,
      videos: videoCount,
    });
  } else {
    for (const line of formatFindings(run, place.file, findings)) run.terminal.print(line);
    for (const warning of warnings) run.info(`warning: ${escapeText(warning)}`);
    run.info(`${videoCount} videos laid out`);
  }
  return findings.length === 0 ? 0 : 1;
}

/** The faults of the file; if it has none, those of the fonts beside it. */
async function findFaults(place: FoundTemplate): Promise<TemplateValidation> {
  const { validateTemplateFile } = await import('../../design/template/validate-template.ts');
  const validation = await validateTemplateFile(place);
  if (validation.faults.length > 0 || validation.text === null) return validation;
  const { findFontFaults } = await import('../../video/templates/template-fonts.ts');
  const { placeFaults } = await import('../../design/template/place-faults.ts');
  return { ...validation, faults: placeFaults(await findFontFaults(place), validation.text) };
}

/** The sample with its hard variations, and the user's own as they are. */
async function readListingsToLint(run: CommandRun, words: readonly string[]): Promise<ListingToLint[]> {
  const context = await readContext(run);
  const listings: ListingToLint[] = [];
  for (const input of [SAMPLE_INPUT, ...(await collectInputs(words, context.cwd))]) {
    for (const result of await readListings([input], context)) {
      if (result.kind === 'invalid') throw invalidListingError(result);
      const hasStressCases = input === SAMPLE_INPUT;
      const name = hasStressCases ? 'sample' : result.source.file;
      listings.push({ name, listing: result.listing, baseDir: result.baseDir, hasStressCases });
    }
  }
  return listings;
}

async function formatFaults(
  run: CommandRun,
  faults: readonly TemplateFault[],
  text: string | null,
): Promise<string[]> {
  const { codeFrameLines } = await import('../../listing/json/code-frame.ts');
  const { out } = run.terminal.styles;
  return faults.flatMap(({ path, problem, line, column }) => {
    const place = line === null ? '' : out.dim(` (line ${line}, column ${column})`);
    const head = `  ${out.bold(escapeText(path))} ${escapeText(problem)}${place}`;
    if (!run.terminal.stdoutIsTty || text === null || line === null || column === null) return [head];
    const frame = codeFrameLines(text, { line, column, length: 1 }, { contextLines: 1 });
    return [
      head,
      ...frame.map(
        (part) => `  ${out.dim(part.gutter)}${part.kind === 'marks' ? out.red(part.text) : part.text}`,
      ),
    ];
  });
}

/** One line for the same finding in several videos, with the names of these videos. */
function formatFindings(run: CommandRun, file: string, findings: readonly TemplateFinding[]): string[] {
  const { out } = run.terminal.styles;
  if (findings.length === 0) return run.output.quiet ? [] : [`${out.green('valid')}    ${escapeText(file)}`];
  const groups = [...new Set(findings.map(keyOf))].map((key) =>
    findings.filter((finding) => keyOf(finding) === key),
  );
  const lines = groups.flatMap((group) => {
    const [first] = group as [TemplateFinding];
    const videos = [
      ...new Set(group.map(({ listing, video }) => (listing === 'sample' ? video : `${listing} ${video}`))),
    ];
    const rest = videos.length > 3 ? ` and ${videos.length - 3} more` : '';
    const at = `${first.at_sec.toFixed(1)} s`;
    return [
      `  ${out.yellow(first.rule)}  ${first.ratio}, ${escapeText(first.scene)} at ${at}, ${out.bold(escapeText(first.layer))}: ${escapeText(first.message)}`,
      `    ${out.dim(`with ${escapeText(videos.slice(0, 3).join('; '))}${rest}`)}`,
    ];
  });
  return [`${out.yellow('lint')}     ${escapeText(file)}: ${countWords(groups.length, 'finding')}`, ...lines];
}

function keyOf({ rule, ratio, scene, layer, message }: TemplateFinding): string {
  // What a family lacks shows in many texts, and is one thing to change.
  if (rule.startsWith('font-')) return `${rule} ${message}`;
  return [rule, ratio, scene.replace(/^scene-\d+-/, ''), layer].join(' ');
}
