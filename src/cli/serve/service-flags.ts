/** Options that `serve`, `worker` and `webhooks test` share, with the words and defaults that are true for each. */
import { Option } from 'commander';
import { collectWords, settingOption } from '../define-command.ts';

/** What renders tasks of the API. @param reach - {@link reachOptions} of the command. */
export function renderOptions(reach: readonly Option[]): Option[] {
  return [
    ...settingOption('concurrency', 'run this many tasks at once', '1'),
    ...settingOption('organizationRunning'),
    ...settingOption('timeLimit', undefined, '30m'),
    ...settingOption('grace'),
    ...settingOption('templatesDir'),
    ...reach,
    ...settingOption('ffmpeg'),
    ...settingOption('cacheSize'),
  ];
}

/**
 * What a process on the side of the server can reach. Other than the command line, it uses a proxy only if it is told
 * to.
 *
 * @param what - What comes from a place or goes to it, such as `photos from`.
 * @param use - What goes through a proxy, such as `fetch photos`.
 */
export function reachOptions(what: string, use: string): Option[] {
  const place = 'host, address or CIDR block';
  return [
    ...settingOption(
      'allowAssetsFrom',
      `allow ${what} this private ${place}; repeatable; ${ALLOW_PRIVATE} is the same`,
    ),
    allowPrivate(what).hideHelp(),
    ...settingOption('denyAssetsFrom', `refuse ${what} this ${place}, whatever else allows it; repeatable`),
    ...settingOption(
      'useProxy',
      `${use} through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; without it, connect directly`,
      'no',
    ),
  ];
}

/** {@link reachOptions} of a command that fetches no photos: its help has the name that does not speak of them. */
export function receiverOptions(): Option[] {
  const what = 'a receiver at';
  return reachOptions(what, 'send the message').map((option) => {
    if (option.long === ALLOW_PRIVATE) return allowPrivate(what);
    return option.long === '--allow-assets-from' ? option.hideHelp() : option;
  });
}

const ALLOW_PRIVATE = '--allow-private';

/** `--allow-assets-from` under a name that fits receivers of webhooks too. */
function allowPrivate(what: string): Option {
  const help = `allow ${what} this private host, address or CIDR block; repeatable (default: none)`;
  const option = new Option(`${ALLOW_PRIVATE} <place>`, help).argParser(collectWords);
  option.attributeName = () => 'allowAssetsFrom';
  return option;
}

/** `--database`, of a command that needs one. @param does - What the command does with this database. */
export function neededDatabase(does: string): Option[] {
  const help = `${does} this PostgreSQL database; prefer the variable, because process lists show flags`;
  return settingOption('database', help, 'none, but it is needed');
}
