/** Opens an address in the user's browser, where there is a desktop. */
import { spawn } from 'node:child_process';

type Env = Readonly<Record<string, string | undefined>>;

/** Never fails: the address is printed, too. @returns Whether it was tried. */
export function openBrowser(url: string, env: Env, platform: NodeJS.Platform = process.platform): boolean {
  const command = openerOf(url, env, platform);
  if (command === null) return false;
  const [file, ...words] = command;
  const child = spawn(file, words, { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
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
