/** The work of `templates list` and `templates show`. */
import path from 'node:path';
import type { DataLayer, Template } from '../../design/template/template.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { formatTable, printTable, stdoutWidth } from '../terminal/table.ts';
import { findNamedTemplate, ownTemplatesDirs, requireTemplatesDir } from './find-template.ts';
import { readTemplateSummaries } from './read-template-summaries.ts';

/** Prints all templates; a broken one of your own does not hide the others. */
export async function listTemplates(run: CommandRun): Promise<number> {
  await requireTemplatesDir(run);
  const rows = await readTemplateSummaries(await ownTemplatesDirs(run));
  return printResult(run, { data: rows, has_more: false }, () =>
    printTable(run.terminal, rows, [
      { title: 'ID', text: (row) => escapeText(row.id) },
      { title: 'NAME', text: (row) => escapeText(row.name ?? '-') },
      { title: 'SHAPES', text: (row) => row.ratios.join(' ') },
      { title: 'FROM', text: (row) => (row.built_in ? 'built-in' : 'own') },
      {
        title: 'DESCRIPTION',
        text: ({ problem, description }) =>
          escapeText(problem === null ? (description ?? '') : `cannot be used: ${problem}`),
        shrinks: true,
      },
    ]),
  );
}

/** Prints one template: its ratios, pacing, music, and every data layer. */
export async function showTemplate(run: CommandRun): Promise<number> {
  const { readTemplate } = await import('../../design/template/load-template.ts');
  await requireTemplatesDir(run);
  const place = await findNamedTemplate(run.args[0]!, run);
  const { template } = await readTemplate(place);
  const document = {
    ...describeTemplate(template, place.file, place.isBuiltIn),
    fonts: await describeFonts(template, place.file),
  };
  return printResult(run, document, () => {
    for (const line of formatDescription(document, stdoutWidth(run.terminal))) run.terminal.print(line);
  });
}

const ROOMY_COLUMNS = 140;

type Description = ReturnType<typeof describeTemplate> & { readonly fonts: readonly ShownFamily[] };

interface ShownFamily {
  readonly family: string;
  readonly built_in: boolean;
  /** Of a family of the template's own; a file that cannot be used is left out. */
  readonly files: readonly {
    readonly file: string;
    /** What the font calls its family. */
    readonly name: string | null;
    readonly weights: readonly [min: number, max: number];
    readonly italic: boolean;
  }[];
}

async function describeFonts(template: Template, file: string): Promise<ShownFamily[]> {
  const { fonts = {}, styleDefaults, ratios } = template;
  const { readFamilies } = await import('../../video/templates/template-fonts.ts');
  const own = new Map(
    (await readFamilies(fonts, path.dirname(file))).families.map((family) => [family.name, family.faces]),
  );
  const styles = Object.values(ratios).flatMap((design) => Object.values(design.styles));
  const used = [styleDefaults, ...styles].flatMap(({ family }) => (family === undefined ? [] : [family]));
  return [...new Set([...used, ...own.keys()])].map((family) => ({
    family,
    built_in: !own.has(family),
    files: (own.get(family) ?? []).map(({ file, familyName, minWeight, maxWeight, isItalic }) => ({
      file,
      name: familyName,
      weights: [minWeight, maxWeight],
      italic: isItalic,
    })),
  }));
}

function fontWords({ family, built_in, files }: ShownFamily): string {
  const cuts = files.map(({ weights: [min, max], italic }) => {
    const weight = min === max ? `${min}` : `${min} to ${max}`;
    return italic ? `${weight} italic` : weight;
  });
  return built_in ? family : `${family} (own: ${cuts.join(', ') || 'no usable file'})`;
}

function describeTemplate(template: Template, file: string, isBuiltIn: boolean) {
  const { id, name, description, branding, music, ratios, dataLayers, withoutLayers } = template;
  return {
    id,
    name,
    description,
    file,
    built_in: isBuiltIn,
    branding,
    music: music ?? 'none',
    ratios: Object.entries(ratios).map(([ratio, { pacing, scenes }]) => ({
      ratio,
      pacing: {
        opening_sec: pacing.heroSec,
        facts_sec: pacing.factsSec,
        ending_sec: pacing.endSec,
        most_sec: pacing.capSec,
        rows: pacing.rows.map(({ maxPhotos, cycle, sec }) => ({
          most_photos: maxPhotos,
          cycle,
          // The factor applies to the scenes of the rows.
          sec: Object.fromEntries(
            Object.entries(sec).map(([layout, value]) => [
              layout,
              Math.round(value * pacing.factor * 100) / 100,
            ]),
          ),
        })),
      },
      scenes: Object.fromEntries(
        Object.entries(scenes)
          .filter(([, variants]) => variants.length > 0)
          .map(([role, variants]) => [role, variants.map((variant) => variant.name)]),
      ),
    })),
    data_layers: dataLayers,
    without_layers: withoutLayers,
  };
}

function formatDescription(template: Description, widthColumns: number): string[] {
  const pacing = template.ratios.map(
    ({ ratio, pacing: { opening_sec, facts_sec, ending_sec, most_sec } }) =>
      `  ${ratio.padEnd(9)}  opening ${opening_sec} s, facts ${facts_sec} s, ending ${ending_sec} s, at most ${most_sec} s`,
  );
  return [
    `${escapeText(template.id)}: ${escapeText(template.name)}${template.built_in ? '' : `, ${escapeText(template.file)}`}`,
    `  ${escapeText(template.description)}`,
    `  music      ${escapeText(template.music)}`,
    `  fonts      ${escapeText(template.fonts.map(fontWords).join(', '))}`,
    ...(template.branding === 'none' ? ['  branding   none: no agent, no office, no contact'] : []),
    ...pacing,
    '',
    ...formatTable(
      joinCaptions(template.data_layers),
      [
        { title: 'DATA LAYER', text: ({ name }) => escapeText(name) },
        { title: 'TYPE', text: typeWords },
        { title: 'DEFAULT', text: (layer) => escapeText(layer.default === '' ? '-' : layer.default) },
        { title: 'DESCRIPTION', text: ({ description }) => escapeText(description), shrinks: true },
        // Where both do not fit, the description says more.
        ...(widthColumns < ROOMY_COLUMNS
          ? []
          : [{ title: 'EXAMPLE', text: ({ example }: DataLayer) => escapeText(example), shrinks: true }]),
      ],
      widthColumns,
    ),
  ];
}

function typeWords({ type, min, max, options }: DataLayer): string {
  if (options !== undefined) return options.join(' or ');
  return min === undefined || max === undefined ? type : `${type} ${min}-${max}`;
}

/** Captions differ only in their number: people see them as one row. */
function joinCaptions(layers: readonly DataLayer[]): DataLayer[] {
  const captions = layers.filter(({ name }) => /^caption_\d+$/.test(name));
  const [first] = captions;
  return layers
    .filter((layer) => layer === first || !captions.includes(layer))
    .map((layer) =>
      layer === first && captions.length > 1
        ? {
            ...layer,
            name: `${layer.name}-${captions.at(-1)!.name.replace(/^caption_/, '')}`,
            description: layer.description.replace(/photo 1\b/, 'the photo of that number'),
          }
        : layer,
    );
}
