/** `listing-video ffmpeg`: which ffmpeg is used, and a current one on request. The work is in the files beside it. */
import { CliCommand, settingOption } from '../define-command.ts';

/** Defines the command. Without a subcommand it is `show`. */
export const ffmpegCommand = (): CliCommand => {
  const show = new CliCommand('show', 'print which ffmpeg is used')
    .description('Prints which ffmpeg is used, its version, age and source, and which others were tried.')
    .settings('ffmpeg')
    .examples({ 'ffmpeg show': 'see which ffmpeg is used' })
    .does(async () => (await import('./show-ffmpeg.ts')).showFfmpeg);
  const install = new CliCommand('install', 'download a current ffmpeg')
    .description(
      'Downloads the ffmpeg of the npm package ffmpeg-static into the data folder, with the downloader of that package. Shows ' +
        'address, size and license first, and asks. What is downloaded must make a video before it is used.',
    )
    .addOptions(
      settingOption(
        'useProxy',
        'download through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; --no-use-proxy connects directly',
      ),
    )
    .option('-y, --yes', 'do not ask, for scripts')
    .examples({ 'ffmpeg install': 'download a current ffmpeg' })
    .does(async () => (await import('./install-ffmpeg.ts')).installOnRequest);
  return new CliCommand('ffmpeg', 'show or install ffmpeg')
    .description('Prints which ffmpeg is used, or downloads a current one.')
    .defaultSubcommand(show)
    .subcommands(install)
    .examples({
      ffmpeg: 'see which ffmpeg is used',
      'ffmpeg install': 'download a current ffmpeg',
    });
};
