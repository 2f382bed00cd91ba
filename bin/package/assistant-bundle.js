/**
 * An MCP bundle: the program as an extension of assistant programs, which run `listing-video mcp` from it. The format is at
 * https://github.com/modelcontextprotocol/mcpb.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeZip } from './archive.js';
import { readHomepage } from './homepage.js';
import { drawIcon } from './icon.js';
import { addLists } from './portable.js';
import { stage } from './stage.js';

const ICON_PX = 512;

/** @param options - As of `makePortable`. @returns {Promise<string>} The bundle. */
export async function makeBundle({ platform, arch, version, name, work, out, timeSec, ffmpeg }) {
  const folder = path.join(work, name);
  const staged = await stage({ platform, arch, into: folder, ffmpeg });
  await addLists(folder, version, staged);
  const node = path.relative(folder, staged.node);
  writeFileSync(
    path.join(folder, 'manifest.json'),
    `${JSON.stringify(bundleManifest({ version, platform, node, homepage: readHomepage() }), null, 2)}\n`,
  );
  writeFileSync(path.join(folder, 'icon.png'), await drawIcon(ICON_PX));
  const bundle = path.join(out, `listing-video-${version}-${name}.mcpb`);
  await writeZip(folder, '', bundle, timeSec);
  return bundle;
}

/** @param node - Node's program, from the folder of the bundle. */
export function bundleManifest({ version, platform, node, homepage = '' }) {
  return {
    manifest_version: '0.3',
    name: 'listing-video',
    display_name: 'Listing Video',
    version,
    description: 'Makes videos of real-estate listings from the photos on this machine.',
    author: { name: 'The authors of Listing Video' },
    license: 'MIT',
    ...(homepage !== '' && { homepage }),
    icon: 'icon.png',
    server: {
      type: 'binary',
      entry_point: node,
      mcp_config: {
        command: `\${__dirname}/${node}`,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the assistant program fills it in.
        args: ['${__dirname}/app/bin/listing-video.js', 'mcp', '--root', '${user_config.folder}'],
      },
    },
    tools_generated: true,
    user_config: {
      folder: {
        type: 'directory',
        title: 'Folder with listings',
        description: 'The assistant reads photos and writes videos in this folder only.',
        required: true,
      },
    },
    compatibility: { platforms: [platform] },
  };
}
