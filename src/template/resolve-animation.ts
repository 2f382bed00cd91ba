/** Animations as designers write them (a name, a few words, a list) in full. Pure. */
import type { Animation } from './elements.ts';

type Fields = Readonly<Record<string, unknown>>;

const DEFAULTS: Readonly<Record<Animation['kind'], Pick<Animation, 'from' | 'easing'> & Partial<Animation>>> =
  {
    fade: { from: 'bottom', easing: 'settle' },
    rise: { from: 'bottom', easing: 'settle', by: 20 },
    slide: { from: 'left', easing: 'settle' },
    reveal: { from: 'left', easing: 'settle' },
    draw: { from: 'left', easing: 'draw' },
    lift: { from: 'bottom', easing: 'settle' },
  };

/**
 * @param raw - A name of `motions`, an animation (`use` names one it starts from), or a list of these.
 * @param direction - What leaves eases out instead of in.
 * @param report - Called for a name that no motion has.
 */
export function resolveAnimations(
  raw: unknown,
  direction: 'enter' | 'exit',
  motions: Fields,
  report: (problem: string) => void,
): Animation[] {
  const named = (name: string): unknown[] => {
    if (Object.hasOwn(motions, name)) return flatten(motions[name], motions, report);
    report(`names no motion: "${name}"`);
    return [];
  };
  const flat = (value: unknown): unknown[] =>
    typeof value === 'string' ? named(value) : flatten(value, motions, report);
  return flat(raw).map((one) => complete(one as Fields, direction));
}

function flatten(raw: unknown, motions: Fields, report: (problem: string) => void): unknown[] {
  if (Array.isArray(raw)) return raw.flatMap((one) => flatten(one, motions, report));
  if (typeof raw === 'string') {
    if (Object.hasOwn(motions, raw)) return flatten(motions[raw], motions, report);
    report(`names no motion: "${raw}"`);
    return [];
  }
  if (typeof raw !== 'object' || raw === null) return [];
  const { use, ...own } = raw as Fields;
  if (use === undefined) return [own];
  return flatten(use, motions, report).map((base) => ({ ...(base as Fields), ...own }));
}

function complete(raw: Fields, direction: 'enter' | 'exit'): Animation {
  const kind = (raw.kind ?? 'fade') as Animation['kind'];
  const base = DEFAULTS[kind] ?? DEFAULTS.fade;
  const { before, to, ...rest } = raw;
  return {
    at: direction === 'exit' ? ((before as number | undefined) ?? (raw.for as number | undefined) ?? 0.5) : 0,
    for: 0.5,
    each: raw.stagger === undefined ? 'whole' : 'item',
    stagger: 0,
    ...base,
    ...(direction === 'exit' ? { easing: 'leave' } : {}),
    ...(to === undefined ? {} : { from: to }),
    ...rest,
    kind,
  } as Animation;
}
