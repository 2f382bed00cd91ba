/** The work of `ffmpeg install`: says what would be downloaded, asks, installs. */
import { findDownload, shownUrl } from '../../media/encode/ffmpeg/ffmpeg-package.ts';
import { installedFfmpeg } from '../../media/encode/ffmpeg/find-ffmpeg.ts';
import { installFfmpeg } from '../../media/encode/ffmpeg/install-ffmpeg.ts';
import { sizeOfDownload } from '../../media/encode/ffmpeg/look-at-download.ts';
import { formatSize } from '../../platform/settings/parse-size.ts';
import { proveRendering } from '../../video/prove-rendering.ts';
import { proxiesOfUser } from '../../wiring/choose-proxies.ts';
import { usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { createPrompter } from '../terminal/prompter.ts';

/**
 * Downloads nothing without a yes.
 *
 * @throws ListingVideoError `usage` when nobody can be asked; `cancelled` when the question is closed;
 *   `ffmpeg_not_installed`.
 */
export async function installOnRequest(run: CommandRun<{ readonly yes?: boolean }>): Promise<number> {
  const { terminal, host, signal } = run;
  const isAsking = run.options.yes !== true;
  if (isAsking && (!terminal.canPrompt || run.output.json))
    throw usageError('ffmpeg install asks before it downloads, and can ask only in a terminal', 'add --yes');
  const settings = await run.settings();
  const options = { env: host.env, proxies: proxiesOfUser(settings, host.env), signal };
  const download = await findDownload(host.env);
  const sizeBytes = await sizeOfDownload(download, options);
  const size = sizeBytes === null ? 'unknown' : formatSize(sizeBytes);
  const facts = [
    `source   ${shownUrl(download)}`,
    `by       the downloader of ${download.packageName}`,
    `size     ${size}`,
    `license  ${download.license}`,
    `to       ${installedFfmpeg(settings.home)}`,
  ];
  // A question without its facts could not be answered, so these stay under --quiet.
  for (const line of facts) isAsking ? terminal.log(escapeText(line)) : run.info(escapeText(line));
  const prompter = isAsking ? await createPrompter(terminal, signal, 'nothing was downloaded') : null;
  if (prompter !== null && !(await prompter.yesNo('Download and use it?', false))) {
    run.info('nothing was downloaded');
    return 0;
  }
  const installed = await installFfmpeg(download, settings.home, options, proveRendering);
  const { path, version, year, sha256 } = installed;
  const document = { path, version, year, sha256, source: shownUrl(download), license: download.license };
  return printResult(run, document, () => {
    terminal.print(escapeText(path));
    run.info(
      escapeText(
        `ffmpeg ${version}${year === null ? '' : ` of ${year}`} made a video and is used from now on`,
      ),
    );
    run.info(escapeText(`SHA-256 ${sha256}; to go back, delete the file`));
  });
}
