/** Animations as designers write them (a name, a few fields, a list) in full. Pure. */
import type { Animation } from './elements.ts';
import { ANIMATION } from './format/parts.ts';
import { type Json, presetsOf } from './format/value.ts';

const DEFAULTS: Readonly<Record<Animation['kind'], Pick<Animation, 'from' | 'easing'> & Partial<Animation>>> =
  {
    fade: { from: 'bottom', easing: 'settle' },
    rise: { from: 'bottom', easing: 'settle', by: 20 },
    slide: { from: 'left', easing: 'settle' },
    reveal: { from: 'left', easing: 'settle' },
    draw: { from: 'left', easing: 'draw' },
    lift: { from: 'bottom', easing: 'settle' },
  };

/** @param raw - A name of `motions`, an animation (`use` names one to start from), or a list of these. */
export function resolveAnimations(
  raw: unknown,
  direction: 'enter' | 'exit',
  motions: Json,
  report: (problem: string) => void,
): Animation[] {
  return flatten(raw, motions, report, []).map((one) => complete(one, direction));
}

/** @param open - Names of the motions around this one. */
function flatten(
  raw: unknown,
  motions: Json,
  report: (problem: string) => void,
  open: readonly string[],
): Json[] {
  if (Array.isArray(raw)) return raw.flatMap((one) => flatten(one, motions, report, open));
  if (typeof raw === 'string') {
    const exists = Object.hasOwn(motions, raw);
    if (exists && !open.includes(raw)) return flatten(motions[raw], motions, report, [...open, raw]);
    report(`names a motion that ${exists ? 'uses itself' : 'does not exist'}: "${raw}"`);
    return [];
  }
  if (typeof raw !== 'object' || raw === null) return [];
  const { use, ...own } = raw as Json;
  if (use === undefined) return [own];
  return flatten(use, motions, report, open).map((base) => ({ ...base, ...own }));
}

function complete(raw: Json, direction: 'enter' | 'exit'): Animation {
  const kind = (raw.kind ?? 'fade') as Animation['kind'];
  const { before, to, ...rest } = raw;
  return {
    ...presetsOf(ANIMATION, '1920:1080'),
    at: direction === 'exit' ? ((before as number | undefined) ?? (raw.for as number | undefined) ?? 0.5) : 0,
    each: raw.stagger === undefined ? 'whole' : 'item',
    ...(DEFAULTS[kind] ?? DEFAULTS.fade),
    ...(direction === 'exit' ? { easing: 'leave' } : {}),
    ...(to === undefined ? {} : { from: to }),
    ...rest,
    kind,
  } as Animation;
}
