/** Whether a finished file fits a place, and if not, why. Pure. */
import { inBytes, inTime } from './describe-place.ts';
import { type DestinationName, destinationOf } from './destination-table.ts';

/** What is known of a finished file. */
export interface FileFacts {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly durationSec: number;
  readonly sizeBytes: number;
  /** Bit/s. */
  readonly audioBitRate: number;
  readonly hasEditLists: boolean;
  readonly isBranded: boolean;
}

/** @returns What does not fit, such as `44 s, at most 30 s`; empty when the file fits. */
export function judgeFile(file: FileFacts, name: DestinationName): string[] {
  const place = destinationOf(name);
  const side = Math.min(file.widthPx, file.heightPx);
  const bitRate = (file.sizeBytes * 8) / file.durationSec;
  const reasons: string[] = [];
  const atLeast = (found: number, least: number | undefined, inWords: InWords, what = ''): void => {
    if (least === undefined || found >= least) return;
    reasons.push(`${what}${inWords(Math.floor(found * 10) / 10)}, at least ${inWords(least)}`);
  };
  // Rounded up: a video that is one frame too long must not read `30 s, at most 30 s`.
  const atMost = (found: number, most: number | undefined, inWords: InWords, what = ''): void => {
    if (most === undefined || found <= most) return;
    reasons.push(`${what}${inWords(Math.ceil(found * 10) / 10)}, at most ${inWords(most)}`);
  };
  const mega = (figure: { readonly value: number } | undefined) => figure && figure.value / 1e6;
  const audio = place.maxAudioBitRate;
  atLeast(file.durationSec, place.minSec?.value, inTime);
  atMost(file.durationSec, place.maxSec?.value, inTime);
  atMost(file.sizeBytes / 1e6, mega(place.maxBytes), (size) => inBytes(size * 1e6));
  atMost(bitRate / 1e6, mega(place.maxBitRate), (rate) => `${rate} Mbit/s`);
  atMost(file.audioBitRate / 1e3, audio && audio.value / 1e3, (rate) => `${rate} kbit/s`, 'sound of ');
  atLeast(file.fps, place.minFps?.value, (fps) => `${fps} fps`);
  atMost(file.fps, place.maxFps?.value, (fps) => `${fps} fps`);
  atLeast(side, place.minSidePx?.value, (px) => `${px} px`, 'a side of ');
  if (place.refusesEditLists !== undefined && file.hasEditLists) reasons.push('it has edit lists');
  if (place.isUnbranded !== undefined && file.isBranded) reasons.push('it shows agent and office');
  return reasons;
}

/** How a file fits a place that it was made for. */
export interface Fit {
  readonly name: DestinationName;
  /** Empty: it fits. */
  readonly reasons: readonly string[];
}

/** `fits YouTube, Instagram Reels; not Google Business: 44 s, at most 30 s` */
export function describeFits(fits: readonly Fit[]): string {
  const good = fits
    .filter(({ reasons }) => reasons.length === 0)
    .map(({ name }) => destinationOf(name).title);
  const bad = fits
    .filter(({ reasons }) => reasons.length > 0)
    .map(({ name, reasons }) => `not ${destinationOf(name).title}: ${reasons.join('; ')}`);
  return [...(good.length > 0 ? [`fits ${good.join(', ')}`] : []), ...bad].join('; ');
}

/** A rounded figure with its unit. */
type InWords = (value: number) => string;
