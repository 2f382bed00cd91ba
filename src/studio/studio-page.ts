/** The studio's page as its server answers it: `/` and the files that it names. Not the API that its scripts call. */
import { readFile } from 'node:fs/promises';
import { codeFile } from '../platform/program-files.ts';
import { answerFile, answerHtml, makeRelease, OWN_POLICY } from './pages/page-answer.ts';
import { findPageFont, PAGE_FONT, readBundle } from '../web/page-files.ts';

/** Path of the page's files, which are in a folder named after their common digest. */
export const STUDIO_ASSETS_PATH = '/page';

/** Answers GET and HEAD of a path of the page; null when the path is none of them. */
export type StudioPage = (request: Request) => Response | null;

/** Frames and thumbnails also come from the server itself, so the policy names no other origin. */
export async function loadStudioPage(): Promise<StudioPage> {
  const [bundle, icon, font, html] = await Promise.all([
    readBundle('studio/page'),
    readFile(codeFile('server/page/favicon.svg')),
    readFile(findPageFont()),
    readFile(codeFile('studio/page/index.html'), 'utf8'),
  ]);
  const release = makeRelease([...bundle, ['favicon.svg', icon], [PAGE_FONT, font]]);
  const page = html.replaceAll('{{assets}}', `${STUDIO_ASSETS_PATH}/${release.name}`);
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/') return answerHtml(request, page, OWN_POLICY);
    const [, folder, asked = '', name = '', ...rest] = pathname.split('/');
    if (`/${folder}` !== STUDIO_ASSETS_PATH || rest.length > 0) return null;
    return answerFile(request, release, { release: asked, name });
  };
}
