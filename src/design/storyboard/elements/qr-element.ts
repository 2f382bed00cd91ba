/** Builds the QR code of a link: whole pixels for every module, dark on light, with its quiet zone. Pure. */
import type { QrElement } from '../../template/elements.ts';
import { growBox, overlaps, spaceBefore, toPx } from '../box.ts';
import { contrastRatio, luminance, MIN_CONTRAST } from '../palette.ts';
import { QUIET_MODULES } from '../qr-code.ts';
import type { Color, MarkLayer } from '../storyboard.ts';
import { animated, fillLayer } from './animate-layer.ts';
import type { BuiltElement, LayerDraft, SceneContext } from './scene-context.ts';

/** Smallest module, px: two pixels of a video that is scaled to a width of 480 px. */
export const MIN_MODULE_PX = { landscape: 8, portrait: 5 } as const;

/** Largest: the quiet zone of a short link must end before the words beside the box. */
const MAX_MODULE_PX = { landscape: 12, portrait: 9 } as const;

/**
 * The code, as large as its box allows. On a dark ground it stands on a plate of its own, because not every phone reads
 * light modules; then plate and code together have the place of the box.
 */
export function buildQr(element: QrElement, context: SceneContext): BuiltElement {
  const { frame, palette, fps } = context;
  const link = element.of === 'originals' ? context.originals : context.link;
  if (!link?.code) return { layers: [], fits: true };
  const box = toPx(element.box, frame);
  const { dark, light, hasPlate } = colorsOf(palette[element.color]!, palette[element.ground]!);
  const { modules, path } = link.code;
  const count = hasPlate ? modules + 2 * QUIET_MODULES : modules;
  const shape = frame.w > frame.h ? 'landscape' : 'portrait';
  const inBox = Math.floor(Math.min(box.w, box.h) / count);
  // The code of the originals has a scene to itself.
  const largest = element.of === 'originals' ? inBox : Math.min(MAX_MODULE_PX[shape], inBox);
  const modulePx = Math.max(MIN_MODULE_PX[shape], largest);
  const side = modulePx * count;
  const outer = {
    // A code that needs more than its box stands out on all sides alike.
    x: Math.round(box.x + spaceBefore(box.w - side, side > box.w ? 'center' : element.align)),
    y: Math.round(box.y + spaceBefore(box.h - side, side > box.h ? 'middle' : element.anchor)),
    w: side,
    h: side,
  };
  const code: MarkLayer = {
    type: 'mark',
    id: element.id,
    path,
    color: dark,
    box: hasPlate ? growBox(outer, -QUIET_MODULES * modulePx) : outer,
    qr: { url: link.url, modules },
  };
  const layers: LayerDraft[] = hasPlate ? [fillLayer(`${element.id}-plate`, outer, light), code] : [code];
  return { layers: layers.map((layer) => animated(layer, element, { host: outer, fps })), fits: true };
}

/** Dark modules on a light ground, of the two roles where they contrast enough. */
function colorsOf(color: Color, ground: Color): { dark: Color; light: Color; hasPlate: boolean } {
  if (contrastRatio(color, ground) < MIN_CONTRAST) {
    const isLight = luminance(ground) > 0.18;
    return { dark: '#000000', light: isLight ? ground : '#FFFFFF', hasPlate: !isLight };
  }
  return luminance(color) < luminance(ground)
    ? { dark: color, light: ground, hasPlate: false }
    : { dark: ground, light: color, hasPlate: true };
}

/** Words in the free space around a code keep phones from reading it. */
export function areCodesFree(layers: readonly LayerDraft[]): boolean {
  return layers.every((code) => {
    if (code.type !== 'mark' || !code.qr) return true;
    const zone = growBox(code.box, (QUIET_MODULES * code.box.w) / code.qr.modules);
    return !layers.some(({ type, box }) => type === 'text' && overlaps(box, zone));
  });
}
