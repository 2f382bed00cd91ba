/** `listing-video templates`: the words, options and help. The work is in files beside this folder, loaded when called. */
import { Command, Option } from 'commander';
import type { CommandRun } from '../command-run.ts';
import {
  addExamples,
  addSettings,
  type CommandDefinition,
  collectWords,
  type StartCommand,
  startsWith,
} from '../define-command.ts';

/** See the file's head. */
export const templatesCommand: CommandDefinition = (start) => {
  const command = new Command('templates')
    .summary('see, try and make templates')
    .description('The designs that --template and template_id can name: those that ship, and your own.');
  for (const define of [list, show, preview, validate, make]) command.addCommand(define(start));
  return addExamples(command, [
    ['listing-video templates list', 'what there is'],
    ['listing-video templates show classic', 'what it takes'],
  ]);
};

function list(start: StartCommand): Command {
  const command = new Command('list')
    .summary('the templates that exist')
    .description('Lists the templates, each with what it is for.');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates list', 'what there is'],
    [
      'listing-video templates list --templates-dir my-templates --json',
      'your own too, for a program to read',
    ],
  ]);
  return startsWith(command, start, async (run: CommandRun) => {
    const { listTemplates } = await import('./show-templates.ts');
    return listTemplates(run);
  });
}

function show(start: StartCommand): Command {
  const command = new Command('show')
    .summary('what one template takes')
    .description(
      'Shows a template: ratios, pacing, music, and every data layer with its type, default and an example.',
    )
    .argument('<template>', 'id of a template, or the path of its folder');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates show classic', 'what --data and template_data can fill'],
    ['listing-video templates show luxury --json', 'for a program to read'],
  ]);
  return startsWith(command, start, async (run: CommandRun) => {
    const { showTemplate } = await import('./show-templates.ts');
    return showTemplate(run);
  });
}

function preview(start: StartCommand): Command {
  const command = new Command('preview')
    .summary('a look at a template, without making a video')
    .description(
      'Writes a picture of the film that a template makes of a listing: all scenes on one sheet, a still, or a short clip\n' +
        'without valid. It replaces the file of the last look. Without a listing the one that ships is shown.',
    )
    .argument('<template>', 'id of a template, or the path of its folder')
    .argument('[listing]', 'a listing file; - reads it from stdin')
    .option('--contact-sheet', 'all scenes on one picture, with their times (the default)')
    .option('--at <time>', 'the frame at this time, such as 3.5s; of a clip: where it begins')
    .option('--clip <span>', 'a clip of this length, such as 5s')
    .option('--agent <id>', 'whose film (default: the first agent)')
    .addOption(
      new Option('--data <key=value>', 'fill a data layer of the template; may be repeated').argParser(
        collectWords,
      ),
    )
    .option(
      '-o, --out <file>',
      'a .png or .jpg, of a clip .mp4 or .gif; or a folder (default: named for the template)',
    );
  addSettings(command, ['ratio', 'templatesDir', 'ffmpeg']);
  addExamples(command, [
    ['listing-video templates preview classic', 'all scenes, with the listing that ships'],
    ['listing-video templates preview luxury listing.json --ratio 1080:1920', 'upright, with your own'],
    [
      'listing-video templates preview plain --templates-dir my-templates --at 3.5s -o still.png',
      'one frame',
    ],
    ['listing-video templates preview ./my-templates/plain --clip 5s --at 10s', 'how it moves'],
  ]);
  return startsWith(command, start, async (run: CommandRun) => {
    const { previewTemplate } = await import('./preview-template.ts');
    return previewTemplate(run);
  });
}

function validate(start: StartCommand): Command {
  const command = new Command('validate')
    .summary('whether a template is valid')
    .description(
      'Checks the file, each fault with its path and place; then lays out the listing that ships, hard variations of it and\n' +
        'the listings given, in both ratios, and judges safe areas, contrast, sizes, reading times, crops and what licence law\n' +
        'asks for. Exit code 1 for findings, 2 for a file that is no template.',
    )
    .argument('<template>', 'id of a template, or the path of its folder')
    .argument('[listing...]', 'listing files, folders or globs, to be laid out besides');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates validate plain --templates-dir my-templates', 'one of your own'],
    ['listing-video templates validate ./my-templates/plain listing.json --json', 'with a listing of yours'],
  ]);
  return startsWith(command, start, async (run: CommandRun) => {
    const { validateTemplate } = await import('./validate-template.ts');
    return validateTemplate(run);
  });
}

function make(start: StartCommand): Command {
  const command = new Command('new')
    .summary('a template of your own, as a copy of another')
    .description(
      'Copies a template into <templates dir>/<id>/ under its own id, with the schema that lets editors complete and check it.\n' +
        'Nothing that is there is overwritten.',
    )
    .argument('<id>', 'of the new template: lower-case letters, digits, hyphens')
    .option('--from <template>', 'id of the template to copy, or the path of its folder', 'classic');
  addSettings(command, ['templatesDir']);
  addExamples(command, [
    ['listing-video templates new harbor --templates-dir my-templates', 'a copy of classic'],
    ['listing-video templates new harbor --from luxury --templates-dir my-templates', 'a copy of another'],
  ]);
  return startsWith(command, start, async (run: CommandRun) => {
    const { makeTemplate } = await import('./make-template.ts');
    return makeTemplate(run);
  });
}
