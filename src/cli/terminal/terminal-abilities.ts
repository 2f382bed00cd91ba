/** What the terminal of this process can do beyond text, as far as its environment tells. */
import type { OutputStream, PictureProtocol } from './terminal.ts';

/** Whether it shows links (OSC 8); `FORCE_HYPERLINK` overrules. */
export async function mayLink(stream: OutputStream): Promise<boolean> {
  const { createSupportsHyperlinks } = await import('supports-hyperlinks');
  return createSupportsHyperlinks(stream);
}

/** How it takes pictures, the sharpest way first; null when it is not known to. */
export async function pictureProtocol(stream: OutputStream): Promise<PictureProtocol | null> {
  const { createSupportsTerminalGraphics } = await import('supports-terminal-graphics');
  const { kitty, iterm2, sixel } = createSupportsTerminalGraphics({ isTTY: stream.isTTY === true });
  if (kitty) return 'kitty';
  if (iterm2) return 'iterm';
  return sixel ? 'sixel' : null;
}
