/** Reads a report.json, also one of an earlier version of the program, whose keys were partly in camel case. */
import { readFile } from 'node:fs/promises';
import { REPORT_VERSION, type Report } from './report.ts';

/** The keys that earlier versions wrote in another way. No value of the listing has one of these paths. */
const EARLIER_KEYS: Readonly<Record<string, string>> = {
  sizeBytes: 'size_bytes',
  startSec: 'start_sec',
  endSec: 'end_sec',
  loudnessLufs: 'loudness_lufs',
  templateId: 'template_id',
  widthPx: 'width_px',
  heightPx: 'height_px',
  durationSec: 'duration_sec',
  isUnchanged: 'is_unchanged',
  requestSha256: 'request_sha256',
};
/** Objects with keys of their users. */
const OPEN_OBJECTS = new Set(['metadata', 'stills']);
/** Entries of a report are three levels deep. A file in a user's folder can hold anything. */
const MAX_DEPTH = 8;

/** What report.json holds, in the shape of this version; empty when it is absent or damaged. Nothing else is checked. */
export async function readReportFile(file: string): Promise<Partial<Report>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null ? upgradeReport(value) : {};
  } catch {
    return {};
  }
}

/** A report of this or an earlier version in the shape of this version. Pure. */
export function upgradeReport(value: object): Partial<Report> {
  if ('schema_version' in value || !('version' in value)) return value;
  const { version, ...facts } = renameKeys(value, 0) as { readonly version: unknown };
  return { ...facts, ...(version === 1 ? { schema_version: REPORT_VERSION } : {}) };
}

function renameKeys(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [
    Object.hasOwn(EARLIER_KEYS, key) ? EARLIER_KEYS[key] : key,
    OPEN_OBJECTS.has(key) ? item : renameKeys(item, depth + 1),
  ]);
  return Object.fromEntries(entries);
}
