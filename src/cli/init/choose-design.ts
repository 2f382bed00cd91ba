/** The questions about the design: template, logo, shape, preview. */
import type { AspectRatio } from '../../listing/listing.ts';
import { usageError } from '../cli-error.ts';
import type { GivenAnswers } from './given-answers.ts';
import type { Interview } from './interview.ts';
import { fileRule } from './local-file.ts';
import type { Choice } from './prompter.ts';
import { optional } from './validate-answer.ts';

/** A template that can be chosen. */
export interface TemplateChoice {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** False for a video without agent and office: it shows no logo. */
  readonly hasBranding: boolean;
}

/** What the questions need to know. */
export interface DesignOptions {
  readonly cwd: string;
  readonly given: GivenAnswers;
  readonly templates: readonly TemplateChoice[];
  /** File with stills of a template; null when it has none. */
  readonly sheetOf: (templateId: string) => string | null;
}

/** The chosen design; null is not answered. */
export interface DesignAnswers {
  readonly template: string | null;
  /** Absolute path or URL. */
  readonly logo: string | null;
  readonly ratio: AspectRatio;
  readonly preview: boolean;
}

const RATIOS: readonly Choice<AspectRatio>[] = [
  { value: '1920:1080', name: 'wide, 1920:1080', description: 'for web sites, YouTube and television' },
  { value: '1080:1920', name: 'upright, 1080:1920', description: 'for phones: Reels, Shorts, stories' },
];

/** @throws ListingVideoError `usage` for an unknown template. */
export async function chooseDesign(ask: Interview, options: DesignOptions): Promise<DesignAnswers> {
  const { cwd, given, templates } = options;
  const template = await chooseTemplate(ask, options);
  const hasLogo = templates.find(({ id }) => id === template)?.hasBranding !== false;
  const logoQuestion = { key: 'logo', flag: '--logo', given: given.logo, message: 'Logo, a file or URL' };
  const logo =
    hasLogo || given.logo !== undefined
      ? await ask.text({ ...logoQuestion, rule: optional(fileRule(cwd)) })
      : null;
  const ratio =
    given.ratio ??
    (ask.isAsking ? await ask.choice('ratio', 'Size of the videos', RATIOS, '1920:1080') : '1920:1080');
  const preview =
    given.preview ??
    (ask.isAsking ? await ask.yesNo('preview', 'Also make a short GIF of each video?', false) : false);
  return { template, logo, ratio, preview };
}

async function chooseTemplate(ask: Interview, options: DesignOptions): Promise<string | null> {
  const { given, templates, sheetOf } = options;
  const ids = templates.map(({ id }) => id);
  if (given.template !== undefined && !ids.includes(given.template)) {
    throw usageError(`--template: no template is called "${given.template}"`, `one of: ${ids.join(', ')}`);
  }
  const preset = ids.includes('classic') ? 'classic' : (ids[0] ?? null);
  if (given.template !== undefined) return given.template;
  if (!ask.isAsking || preset === null) return null;
  const choices = templates.map(({ id, name, description }) => {
    const sheet = sheetOf(id);
    return {
      value: id,
      name,
      description: sheet === null ? description : `${description}\n  Stills: ${sheet}`,
    };
  });
  return ask.choice('template', 'Template', choices, preset);
}
