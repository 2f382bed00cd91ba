/** The tools for templates. */
import { packageFile } from '../../platform/program-files.ts';
import type { Assistant } from './assistant.ts';
import * as schemas from './schemas.ts';
import { readImage } from './take-picture.ts';
import type { Tool } from './tool.ts';

const load = () => import('../templates/show-templates.ts');

export function templateTools(assistant: Assistant): readonly Tool[] {
  return [
    {
      name: 'list_templates',
      title: 'List templates',
      description: 'Lists the designs that a video can have.',
      input: schemas.input({}),
      output: schemas.TEMPLATE_LIST,
      isReadOnly: true,
      call: async (_args, call) => ({
        document: await assistant.runCommand((await load()).listTemplates, { words: [], options: {} }, call),
      }),
    },
    {
      name: 'show_template',
      title: 'Show a template',
      description:
        'Shows a template: shapes, pacing, music, every data layer that can be filled, and an image of a sample video.',
      input: schemas.input({ template: { type: 'string', minLength: 1, description: 'Its id.' } }, [
        'template',
      ]),
      output: schemas.TEMPLATE,
      isReadOnly: true,
      call: async ({ template }, call) => {
        const { showTemplate } = await load();
        const document = await assistant.runCommand(showTemplate, { words: [template], options: {} }, call);
        const images = document.built_in
          ? [await readImage(packageFile(`templates/${document.id}/sheet.jpg`))]
          : [];
        return { document, images };
      },
    },
  ];
}
