/** `listing-video templates`: its arguments, options and examples. */
import { SETTINGS } from '../../platform/settings/setting-table.ts';
import { CliCommand, dataOption, settingOption } from '../define-command.ts';

export const templatesCommand = (): CliCommand =>
  new CliCommand('templates', 'list, preview, validate and create templates')
    .description(
      'Manages the templates that --template and template_id name: the built-in ones and your own.',
    )
    .subcommands(list(), show(), preview(), validate(), create())
    .examples({
      'templates list': 'see all templates',
      'templates show classic': 'list what you can fill in',
    });

function list(): CliCommand {
  return new CliCommand('list', 'list all templates')
    .alias('ls')
    .description('Lists all templates and describes each in one line.')
    .settings('templatesDir')
    .examples({
      'templates list': 'list the built-in templates',
      'templates list --templates-dir my-templates --json': 'list your own too, as JSON',
    })
    .does(async () => (await import('./show-templates.ts')).listTemplates);
}

function show(): CliCommand {
  return new CliCommand('show', 'show one template')
    .description(
      'Shows a template: shapes, pacing, music, and every data layer with its type, default and an example.',
    )
    .argument('<template>', 'id of a template, or the path of its folder')
    .settings('templatesDir')
    .examples({
      'templates show classic': 'see what --data and template_data can fill',
      'templates show luxury --json': 'print it as JSON',
    })
    .does(async () => (await import('./show-templates.ts')).showTemplate);
}

function preview(): CliCommand {
  return new CliCommand('preview', 'write a contact sheet, a still or a clip')
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
    .addOption(dataOption())
    .option('--watch', 'draw again whenever the template, its fonts, the listing or a local photo changes')
    .option(
      '-o, --out <file>',
      'write a .png or .jpg, for a clip .mp4 or .gif; or name a folder (default: named after the template)',
    )
    .settings('ratio', 'unbrandedKeep', 'templatesDir', 'ffmpeg')
    .examples({
      'templates preview classic': 'see all scenes with the built-in listing',
      'templates preview luxury listing.json --ratio 1080:1920': 'use your listing, as a vertical video',
      'templates preview plain --templates-dir my-templates --at 3.5s -o still.png':
        'write one frame of your own template',
      'templates preview ./my-templates/plain --clip 5s --at 10s': 'see the motion',
      'templates preview ./my-templates/plain --watch':
        'draw all scenes again after every change, until Ctrl-C',
    })
    .does(async () => (await import('./preview-template.ts')).previewTemplate);
}

function validate(): CliCommand {
  return new CliCommand('validate', 'validate a template')
    .description(
      'Checks the file and prints each fault with its path and line. A valid template is then laid out in both shapes with ' +
        'the built-in listing, hard variations of it and your listings, to check safe areas, contrast, sizes, reading times, ' +
        'crops and required license texts. Exits with 1 for findings, 2 for a file that is not a template.',
    )
    .argument('<template>', 'id of a template, or the path of its folder')
    .argument('[listing...]', 'more listing files, folders or globs to lay out')
    .settings('templatesDir')
    .examples({
      'templates validate plain --templates-dir my-templates': 'validate your own template',
      'templates validate ./my-templates/plain listing.json --json': 'lay out your listing too, print JSON',
    })
    .does(async () => (await import('./validate-template.ts')).validateTemplate);
}

function create(): CliCommand {
  return new CliCommand('new', 'create your own template from another')
    .description(
      'Copies a template to <templates dir>/<id>/, with the schema that lets editors complete and check it.\n' +
        'Never overwrites a file.',
    )
    .argument('<id>', 'id of the new template: lower-case letters, digits, hyphens')
    .option('--from <template>', 'copy this template: its id, or the path of its folder', 'classic')
    .addOptions(
      settingOption('templatesDir').map((option) => {
        option.description = `put the copy in this folder, the folder of your own templates (env: ${SETTINGS.templatesDir.env})`;
        return option;
      }),
    )
    .examples({
      'templates new harbor --templates-dir my-templates': 'copy classic',
      'templates new harbor --from luxury --templates-dir my-templates': 'copy luxury',
    })
    .does(async () => (await import('./make-template.ts')).makeTemplate);
}
