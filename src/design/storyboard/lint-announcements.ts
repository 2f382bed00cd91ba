/** Checks what a listing announces: the address under its headline, and a QR code that a phone reads. */
import type { Listing } from '../../listing/listing.ts';
import { addressWords } from '../../listing/words/address-words.ts';
import type { Template } from '../template/template.ts';
import { contains, growBox, overlaps } from './box.ts';
import { MIN_MODULE_PX } from './elements/qr-element.ts';
import { contrastRatio, MIN_CONTRAST } from './palette.ts';
import { QUIET_MODULES } from './qr-code.ts';
import { announcementsWithoutPlace, hasQrCode } from './scenes/omissions/missing-places.ts';
import type { Box, Color, Layer, MarkLayer, Scene, Storyboard } from './storyboard.ts';

export type AnnouncementRule = 'address' | 'qr-size' | 'qr-contrast' | 'qr-quiet-zone';

type Report = (rule: AnnouncementRule, layer: string, message: string) => void;

export function lintAddress(
  { scenes }: Pick<Storyboard, 'scenes'>,
  { address }: Pick<Listing, 'address'>,
): { rule: 'address'; scene: string; layer: string; message: string }[] {
  const opening = scenes.find(({ kind }) => kind === 'hero')!;
  const street = address?.street ? bare(addressWords(address).street) : '';
  const read = opening.layers.map((layer) => (layer.type === 'text' ? bare(layer.reads) : '')).join('');
  const isHeadlined = opening.layers.some(({ id }) => /^headline(?:-\d+)?$/.test(id));
  if (!isHeadlined || read.includes(street)) return [];
  return [
    {
      rule: 'address',
      scene: opening.id,
      layer: 'headline',
      message: 'stands in the opening without the address',
    },
  ];
}

export function lintQrCodes(scene: Scene, { ratio }: Pick<Storyboard, 'ratio'>, report: Report): void {
  const min = MIN_MODULE_PX[ratio === '1920:1080' ? 'landscape' : 'portrait'];
  scene.layers.forEach((layer, index) => {
    if (layer.type !== 'mark' || !layer.qr) return;
    const modulePx = layer.box.w / layer.qr.modules;
    if (modulePx < min || !Number.isInteger(modulePx))
      report('qr-size', layer.id, `${modulePx.toFixed(1)} px for a module, at least ${min} whole px`);
    const zone = growBox(layer.box, QUIET_MODULES * modulePx);
    const ratioOf = contrastRatio(layer.color, groundUnder(scene, index, layer));
    if (ratioOf < MIN_CONTRAST)
      report('qr-contrast', layer.id, `${ratioOf.toFixed(2)} on its ground, at least ${MIN_CONTRAST}`);
    const intruder = scene.layers.find((other, at) => isSeenIn(zone, other, at, scene, index));
    if (intruder) report('qr-quiet-zone', layer.id, `${intruder.id} stands in the free space around it`);
  });
}

/** The last opaque color under the code. */
function groundUnder(scene: Scene, index: number, { box }: MarkLayer): Color {
  const fill = scene.layers.slice(0, index).findLast((layer) => isOpaque(layer, box));
  return fill?.type === 'fill' ? fill.color : scene.background;
}

/** True for texts, photos, marks and logos that are not hidden under the ground of the code. */
function isSeenIn(zone: Box, other: Layer, at: number, { layers }: Scene, index: number): boolean {
  if (at === index || other.type === 'fill' || !overlaps(other.box, zone)) return false;
  const isCovered = layers.slice(at + 1, Math.max(at + 1, index)).some((layer) => isOpaque(layer, zone));
  return !isCovered;
}

function isOpaque(layer: Layer, over: Box): boolean {
  return layer.type === 'fill' && !layer.gradient && (layer.alpha ?? 1) === 1 && contains(layer.box, over);
}

function bare(text: string): string {
  return text.replace(/[\s\u00a0\u200b\u2060]+/g, '').toLowerCase();
}

export function warnOfPlaces({ ratios, branding }: Template): string[] {
  const ending = branding === 'none' ? 'closing' : 'card';
  return Object.entries(ratios).flatMap(([ratio, { scenes }]) => [
    ...announcementsWithoutPlace(Object.values(scenes).flat()).map(
      ({ name }) => `${ratio}: no scene has a place for the ${name}`,
    ),
    ...(scenes[ending].some(hasQrCode)
      ? []
      : [`${ratio}: the ${ending} has no place for the QR code of the link`]),
  ]);
}
