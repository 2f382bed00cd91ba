import { readFile } from 'node:fs/promises';
import type { Report } from './report.ts';

/** What report.json holds; empty when it is absent or damaged. Nothing else is checked. */
export async function readReportFile(file: string): Promise<Partial<Report>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
