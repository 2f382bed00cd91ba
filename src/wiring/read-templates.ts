/** The templates that a server offers, read from the disk with their pictures. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { OfferedTemplate, TemplateSheet } from '../api/server/server-deps.ts';
import { findTemplates, readTemplate, type TemplateFolders } from '../design/template/load-template.ts';

/** Sheets stay in memory. Those of the built-in templates have a quarter of it. */
const MAX_SHEET_BYTES = 1024 * 1024;

/**
 * All templates that can be used, by id.
 *
 * @param onBroken - Called for a template of the operator's own that cannot be used; it is left out.
 */
export async function readTemplates(
  folders: TemplateFolders,
  onBroken: (id: string, error: unknown) => void,
): Promise<readonly OfferedTemplate[]> {
  const offered: OfferedTemplate[] = [];
  for (const place of await findTemplates(folders)) {
    try {
      const { id, name, description, branding, dataLayers, ratios } = (await readTemplate(place)).template;
      const sheet = await readSheet(path.join(path.dirname(place.file), 'sheet.jpg'));
      offered.push({ id, name, description, branding, dataLayers, ratios: Object.keys(ratios), sheet });
    } catch (error) {
      onBroken(place.id, error);
    }
  }
  return offered;
}

/** Null without a JPEG of a reasonable size. */
async function readSheet(file: string): Promise<TemplateSheet | null> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > MAX_SHEET_BYTES) return null;
    const bytes = new Uint8Array(await readFile(file));
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8 || bytes[2] !== 0xff) return null;
    return { bytes, digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
  } catch {
    return null;
  }
}
