/**
 * Damaged pictures: how many are shown although they are not what they were. Every sound picture that they are made of
 * must be shown.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { DecodePool } from '../../../src/media/assets/decode/decode-process.ts';
import type { SupportedFormat } from '../../../src/media/assets/decode/sniff-format.ts';
import { DAMAGES, seeded } from '../../media/assets/damage-picture.ts';
import { sha256 } from '../../media/assets/sample-pictures.ts';
import { atMost, type BenchRow, noBar } from '../bench-row.ts';
import { FORMS, type PictureForm } from './picture-files.ts';

const PHOTOS = fileURLToPath(new URL('../../../fixtures/photos', import.meta.url));
const WIDTHS_PX = [640, 800, 960];
/** A viewer sees it: a pixel that differs by more than 24 levels, in more than a hundredth of the picture. */
const LEVELS = 24;
const STRONG = 0.01;

export interface DamageOptions {
  readonly mutants: number;
  /** Where the mutants that are shown go, with a sheet of their pictures. */
  readonly keepIn?: string | undefined;
  /** Only forms whose format and name match. */
  readonly only?: string | undefined;
}

interface Master {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly yuv: Buffer;
}

interface Fate {
  readonly form: PictureForm;
  readonly name: string;
  readonly bytes: Buffer;
  /** Share of the picture that differs; null: it was dropped. */
  readonly harm: number | null;
  readonly shown: Master | null;
}

export async function benchDamage(options: DamageOptions): Promise<{ rows: BenchRow[]; perFormat: object }> {
  const folder = await mkdtemp(join(tmpdir(), 'damage-bench-'));
  const decoder = new Decoder(folder);
  try {
    const fates = await makeFates(options, decoder);
    if (options.keepIn !== undefined) await keep(options.keepIn, fates);
    return toReport(fates, decoder.droppedSound);
  } finally {
    await decoder.close();
    await rm(folder, { recursive: true });
  }
}

async function makeFates({ mutants, only }: DamageOptions, decoder: Decoder): Promise<Fate[]> {
  const forms = FORMS.filter(({ format, name }) => new RegExp(only ?? '').test(`${format} ${name}`));
  const photos = (await readdir(PHOTOS)).sort();
  const kinds = Object.keys(DAMAGES);
  const perForm = Math.ceil(mutants / forms.length);
  const fates: Fate[] = [];
  for (const [formIndex, form] of forms.entries()) {
    const count = Math.min(6, Math.ceil(perForm / kinds.length));
    const sounds: { bytes: Buffer; master: Master }[] = [];
    for (let index = 0; index < count; index += 1) {
      const photo = photos[(formIndex * 5 + index * 7) % photos.length]!;
      const width = WIDTHS_PX[index % WIDTHS_PX.length]!;
      const image = sharp(join(PHOTOS, photo)).resize(width, 2 * Math.round(width / 3));
      const bytes = await form.make(image);
      const master = await decoder.decode(bytes, form.format);
      if (master === null) decoder.droppedSound.push(`${form.format} ${form.name} ${photo}`);
      else sounds.push({ bytes, master });
    }
    if (sounds.length === 0) continue;
    const make = async (index: number): Promise<Fate> => {
      const kind = kinds[index % kinds.length]!;
      const at = Math.floor(index / kinds.length) % sounds.length;
      const { bytes, master } = sounds[at]!;
      const random = seeded(1_000_003 * formIndex + index);
      const damaged = DAMAGES[kind]!(bytes, random, sounds[(at + 1) % sounds.length]!.bytes);
      const shown = await decoder.decode(damaged, form.format);
      const harm = shown === null ? null : harmOf(master, shown);
      const isShown = harm !== null && harm > STRONG;
      return {
        form,
        name: `${form.format} ${form.name} ${kind} ${index}`,
        harm,
        bytes: isShown ? damaged : Buffer.alloc(0),
        shown: isShown ? shown : null,
      };
    };
    for (let index = 0; index < perForm; index += 2) {
      const pair = [index, index + 1].filter((each) => each < perForm);
      fates.push(...(await Promise.all(pair.map(make))));
    }
  }
  return fates;
}

class Decoder {
  readonly droppedSound: string[] = [];
  readonly #folder: string;
  readonly #pool = new DecodePool({ maxProcesses: 2, timeoutMs: 20_000, memoryLimitBytes: 2 ** 30 });
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The picture as the program shows it, or null if it is dropped. */
  async decode(bytes: Buffer, format: SupportedFormat): Promise<Master | null> {
    this.#count += 1;
    const sourcePath = join(this.#folder, `${this.#count}`);
    const masterPath = `${sourcePath}.yuv`;
    await writeFile(sourcePath, bytes);
    try {
      const { widthPx, heightPx } = await this.#pool.decode(
        { kind: 'photo', sourcePath, sourceSha256: sha256(bytes), format, maxPixels: 1e8, masterPath },
        new AbortController().signal,
      );
      return { widthPx, heightPx, yuv: await readFile(masterPath) };
    } catch (error) {
      if ((error as Error).name !== 'UnusableAsset') throw error;
      return null;
    } finally {
      await Promise.all([sourcePath, masterPath].map((path) => rm(path, { force: true })));
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** The larger share of luma and of chroma that differs visibly. */
function harmOf(sound: Master, shown: Master): number {
  if (sound.widthPx !== shown.widthPx || sound.heightPx !== shown.heightPx) return 1;
  const pixels = sound.widthPx * sound.heightPx;
  const counts = [0, 0];
  for (let at = 0; at < sound.yuv.length; at += 1) {
    if (Math.abs(sound.yuv[at]! - shown.yuv[at]!) > LEVELS) counts[at < pixels ? 0 : 1]! += 1;
  }
  return Math.max(counts[0]! / pixels, (counts[1]! / pixels) * 2);
}

function toReport(
  fates: readonly Fate[],
  droppedSound: readonly string[],
): { rows: BenchRow[]; perFormat: object } {
  const perFormat: Record<string, { mutants: number; dropped: number; shown: number; little: number }> = {};
  for (const { form, harm } of fates) {
    for (const name of [form.format, `${form.format} ${form.name}`]) {
      perFormat[name] ??= { mutants: 0, dropped: 0, shown: 0, little: 0 };
      const row = perFormat[name]!;
      row.mutants += 1;
      if (harm === null) row.dropped += 1;
      else if (harm > STRONG) row.shown += 1;
      else row.little += 1;
    }
  }
  const strong = fates.filter(({ harm }) => harm === null || harm > STRONG);
  const shown = strong.filter(({ harm }) => harm !== null);
  const formats = [...new Set(fates.map(({ form }) => form.format))];
  return {
    rows: [
      noBar('mutants of sound pictures', fates.length),
      noBar('dropped, or shown with visible damage', strong.length),
      ...formats.map((format) => noBar(`shown with visible damage: ${format}`, perFormat[format]!.shown)),
      atMost(
        'shown with visible damage, of those',
        (100 * shown.length) / Math.max(1, strong.length),
        1,
        '%',
      ),
      atMost('sound pictures that are dropped', droppedSound.length, 0),
    ],
    perFormat: { ...perFormat, droppedSound },
  };
}

const CELL_PX = 240;
const COLUMNS = 8;

/** Writes the mutants that are shown, and sheets of what is shown. */
async function keep(folder: string, fates: readonly Fate[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const kept = fates.filter(({ shown }) => shown !== null);
  for (const { name, bytes } of kept) await writeFile(join(folder, name.replaceAll(/[^\w.-]+/g, '-')), bytes);
  for (let first = 0; first < kept.length; first += 64) {
    const page = kept.slice(first, first + 64);
    const cells = await Promise.all(
      page.map(async ({ name, harm, shown }, index) => {
        const { widthPx, heightPx, yuv } = shown!;
        const luma = yuv.subarray(0, widthPx * heightPx);
        const label = `<svg width="${CELL_PX - 4}" height="16"><rect width="100%" height="16" fill="#000"/><text y="12" font-size="11" fill="#fff">${name} ${(100 * harm!).toFixed(0)}%</text></svg>`;
        const raw = { width: widthPx, height: heightPx, channels: 1 as const };
        const input = await sharp(luma, { raw })
          .resize(CELL_PX - 4, CELL_PX - 4, { fit: 'contain' })
          .composite([{ input: Buffer.from(label), left: 0, top: 0 }])
          .png()
          .toBuffer();
        return { input, left: CELL_PX * (index % COLUMNS), top: CELL_PX * Math.floor(index / COLUMNS) };
      }),
    );
    const height = CELL_PX * Math.ceil(page.length / COLUMNS);
    await sharp({ create: { width: CELL_PX * COLUMNS, height, channels: 3, background: '#fff' } })
      .composite(cells)
      .png()
      .toFile(join(folder, `sheet-${first / 64 + 1}.png`));
  }
}
