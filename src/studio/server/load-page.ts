/** A page of the studio as its server answers it: `/` and the files that it names. Not the API that its scripts call. */
import { readFile } from 'node:fs/promises';
import { codeFile } from '../../platform/program-files.ts';
import { answerFile, answerHtml, OWN_POLICY } from '../pages/page-answer.ts';
import { loadRelease } from '../pages/page-files.ts';

/** Answers GET and HEAD of a path of the page; null when the path is none of them. */
export type StudioPage = (request: Request) => Response | null;

/** Below `src/`. */
export type PageFolder = 'studio/page' | 'studio/start-page';

export async function loadPage(folder: PageFolder): Promise<StudioPage> {
  const release = await loadRelease(folder);
  const html = await readFile(codeFile(`${folder}/index.html`), 'utf8');
  return (request) =>
    new URL(request.url).pathname === '/'
      ? answerHtml(request, html, release, OWN_POLICY)
      : answerFile(request, release);
}
