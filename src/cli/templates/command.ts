/** `listing-video templates`: words and options. Each work is in a file of this folder, loaded when called. */
import { Command, Option } from 'commander';
import {
  addExamples,
  addSettings,
  type CommandDefinition,
  collectWords,
  type StartCommand,
  startsWith,
} from '../define-command.ts';

/** Options of `templates preview`. */
export interface PreviewOptions {
  readonly contactSheet?: boolean;
  readonly at?: string;
  readonly clip?: string;
  readonly agent?: string;
  readonly data?: readonly string[];
  /** A file or folder, not the setting of that name. */
  readonly out?: string;
}

/** Options of `templates new`. */
export interface NewTemplateOptions {
  readonly from: string;
}

/** Defines the command. */
export const templatesCommand: CommandDefinition = (start) => {
  const command = new Command('templates')
    .summary('list, preview, validate and create templates')
    .description('Shows the designs that --template and template_id can name: built-in ones and your own.');
  for (const define of [list, show, preview, validate, create]) command.addCommand(define(start));
  return addExamples(command, [
    ['listing-video templates list', 'see all templates'],
    ['listing-video templates show classic', 'see what one template can be given'],
  ]);
};

function list(start: StartCommand): Command {
  const command = new Command('list')
    .summary('list all templates')
    .description('Lists the templates, each with its purpose.');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates list', 'list the built-in templates'],
    ['listing-video templates list --templates-dir my-templates --json', 'list your own too, as JSON'],
  ]);
  return startsWith(command, start, async (run) => {
    const { listTemplates } = await import('./show-templates.ts');
    return listTemplates(run);
  });
}

function show(start: StartCommand): Command {
  const command = new Command('show')
    .summary('show one template')
    .description(
      'Shows a template: ratios, pacing, music, and every data layer with its type, default and an example.',
    )
    .argument('<template>', 'id of a template, or the path of its folder');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates show classic', 'see what --data and template_data can fill'],
    ['listing-video templates show luxury --json', 'print it as JSON'],
  ]);
  return startsWith(command, start, async (run) => {
    const { showTemplate } = await import('./show-templates.ts');
    return showTemplate(run);
  });
}

function preview(start: StartCommand): Command {
  const command = new Command('preview')
    .summary('write a picture or clip of a template')
    .description(
      'Writes one image with all scenes of a video, a still, or a short silent clip, without rendering the whole video.\n' +
        'Overwrites the previous preview. Without a listing it uses the built-in one.',
    )
    .argument('<template>', 'id of a template, or the path of its folder')
    .argument('[listing]', 'a listing file; - reads it from stdin')
    .option('--contact-sheet', 'write all scenes with their times as one image (the default)')
    .option('--at <time>', 'write the frame at this time, such as 3.5s; with --clip: start there')
    .option('--clip <span>', 'write a clip of this length, such as 5s')
    .option('--agent <id>', 'show the video of this agent (default: the first agent)')
    .addOption(
      new Option('--data <key=value>', 'fill a data layer of the template; can be repeated').argParser(
        collectWords,
      ),
    )
    .option(
      '-o, --out <file>',
      'write a .png or .jpg, for a clip .mp4 or .gif; or name a folder (default: named after the template)',
    );
  addSettings(command, ['ratio', 'templatesDir', 'ffmpeg']);
  addExamples(command, [
    ['listing-video templates preview classic', 'see all scenes with the built-in listing'],
    [
      'listing-video templates preview luxury listing.json --ratio 1080:1920',
      'use your listing, in portrait',
    ],
    [
      'listing-video templates preview plain --templates-dir my-templates --at 3.5s -o still.png',
      'write one frame of your own template',
    ],
    ['listing-video templates preview ./my-templates/plain --clip 5s --at 10s', 'see the motion'],
  ]);
  return startsWith<PreviewOptions>(command, start, async (run) => {
    const { previewTemplate } = await import('./preview-template.ts');
    return previewTemplate(run);
  });
}

function validate(start: StartCommand): Command {
  const command = new Command('validate')
    .summary('validate a template')
    .description(
      'Checks the file and prints each fault with its path and line. A valid template is then laid out in both ratios with ' +
        'the built-in listing, hard variations of it and your listings, to check safe areas, contrast, sizes, reading times, ' +
        'crops and required licence texts. Exits with 1 for findings, 2 for a file that is not a template.',
    )
    .argument('<template>', 'id of a template, or the path of its folder')
    .argument('[listing...]', 'more listing files, folders or globs to lay out');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates validate plain --templates-dir my-templates', 'validate your own template'],
    [
      'listing-video templates validate ./my-templates/plain listing.json --json',
      'lay out your listing too, print JSON',
    ],
  ]);
  return startsWith(command, start, async (run) => {
    const { validateTemplate } = await import('./validate-template.ts');
    return validateTemplate(run);
  });
}

function create(start: StartCommand): Command {
  const command = new Command('new')
    .summary('create your own template from another')
    .description(
      'Copies a template to <templates dir>/<id>/, with the schema that lets editors complete and check it.\n' +
        'Never overwrites a file.',
    )
    .argument('<id>', 'id of the new template: lower-case letters, digits, hyphens')
    .option('--from <template>', 'copy this template: its id, or the path of its folder', 'classic');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates new harbor --templates-dir my-templates', 'copy classic'],
    ['listing-video templates new harbor --from luxury --templates-dir my-templates', 'copy luxury'],
  ]);
  return startsWith<NewTemplateOptions>(command, start, async (run) => {
    const { makeTemplate } = await import('./make-template.ts');
    return makeTemplate(run);
  });
}
