/** Opens an address in the user's browser, and the folder of a file, where there is a desktop. */
import { spawn } from 'node:child_process';
import path from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** Never fails: the address is printed, too. @returns Whether it was tried. */
export function openBrowser(url: string, env: Env, platform: NodeJS.Platform = process.platform): boolean {
  const command = openerOf(url, env, platform);
  if (command !== null) start(command);
  return command !== null;
}

/** Shows a file in its folder. Null where no folder can be opened: without a desktop, or on another machine. */
export function fileShower(
  env: Env,
  platform: NodeJS.Platform = process.platform,
): ((file: string) => void) | null {
  if (showerOf('', env, platform) === null) return null;
  return (file) => {
    const command = showerOf(file, env, platform);
    if (command !== null) start(command);
  };
}

function start([file, ...words]: readonly [string, ...string[]]): void {
  const child = spawn(file, words, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

/** The command that shows a file in its folder, marked where the desktop can do that. */
export function showerOf(file: string, env: Env, platform: NodeJS.Platform): [string, ...string[]] | null {
  const opener = openerOf(path.dirname(file), env, platform);
  if (opener === null) return null;
  if (platform === 'darwin') return ['open', '-R', file];
  return platform === 'win32' ? ['explorer.exe', `/select,${file}`] : opener;
}

/** The command that opens an address; null where a browser would show up nowhere, or on another machine. */
export function openerOf(url: string, env: Env, platform: NodeJS.Platform): [string, ...string[]] | null {
  const { SSH_CONNECTION: ssh, CI: ci, DISPLAY: display, WAYLAND_DISPLAY: wayland } = env;
  if (ci) return null;
  if (platform === 'darwin') return ssh ? null : ['open', url];
  // Not `cmd /c start`: a shell reads `&` in addresses.
  if (platform === 'win32') return ssh ? null : ['rundll32', 'url.dll,FileProtocolHandler', url];
  return display || wayland ? ['xdg-open', url] : null;
}
