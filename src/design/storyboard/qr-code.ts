/** A web address as a QR code: modules, and the path that draws them. The only file that uses uqr. Pure. */
import { encode } from 'uqr';

/** A code without its quiet zone. */
export interface QrCode {
  readonly modules: number;
  /** SVG path of the dark modules in 100 x 100 units. */
  readonly path: string;
}

/** Version 6: 41 modules, 106 bytes. In a video of 480 px width a larger code has under two pixels for a module. */
const MAX_VERSION = 6;
export const MAX_QR_BYTES = 106;
/** Modules that stay light on each side of a code (ISO/IEC 18004, 5.3.8). */
export const QUIET_MODULES = 4;

/** The code of `text` with error correction M or better; null if it would have more than 41 modules. */
export function toQrCode(text: string): QrCode | null {
  if (new TextEncoder().encode(text).length > MAX_QR_BYTES) return null;
  const { size, data } = encode(text, { ecc: 'M', boostEcc: true, maxVersion: MAX_VERSION, border: 0 });
  return { modules: size, path: data.flatMap((row, y) => toRuns(row, y, 100 / size)).join('') };
}

/** Dark modules side by side are one rectangle: between two of them an edge would show. */
function toRuns(row: readonly boolean[], y: number, unit: number): string[] {
  const runs: string[] = [];
  for (let from = 0; from < row.length; from++) {
    if (!row[from]) continue;
    let to = from + 1;
    while (row[to]) to++;
    const [left, right, top, foot] = [from, to, y, y + 1].map((at) => Number((at * unit).toFixed(4)));
    runs.push(`M${left} ${top}H${right}V${foot}H${left}Z`);
    from = to;
  }
  return runs;
}
