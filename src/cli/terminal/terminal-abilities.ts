/**
 * What the terminal of this process can do beyond text, as far as its environment shows. `supports-terminal-graphics`
 * stays although it is young: it has no dependencies and knows the versions of nine terminals.
 */
import type { ImageProtocol, OutputStream } from './terminal.ts';

/** Whether it shows links (OSC 8); `FORCE_HYPERLINK` overrules. */
export async function canLink(stream: OutputStream): Promise<boolean> {
  const { createSupportsHyperlinks } = await import('supports-hyperlinks');
  return createSupportsHyperlinks(stream);
}

/** How it shows images, kitty's way first; null when the environment names no terminal that does. */
export async function imageProtocol(stream: OutputStream): Promise<ImageProtocol | null> {
  const { createSupportsTerminalGraphics } = await import('supports-terminal-graphics');
  const { kitty, iterm2 } = createSupportsTerminalGraphics({ isTTY: stream.isTTY === true });
  if (kitty) return 'kitty';
  return iterm2 ? 'iterm' : null;
}
