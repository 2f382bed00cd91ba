/** The chapters of a video as lines of its description: `0:00 Opening`. Places make chapters of such lines. Pure. */
import { describeStoryboard } from '../../design/storyboard/describe-storyboard.ts';
import type { SceneKind, Storyboard } from '../../design/storyboard/storyboard.ts';
import type { ChapterRule } from '../destinations/destination-table.ts';
import { formatClock } from '../format-clock.ts';

/** A kind that is absent goes on with the chapter before it. */
const CHAPTERS: Partial<Readonly<Record<SceneKind, string>>> = {
  hook: 'Opening',
  hero: 'Opening',
  photo: 'Photos',
  facts: 'Facts',
  floor_plan: 'Floor plan',
  originals: 'Original photos',
  card: 'Contact',
  closing: 'Address',
};

interface Chapter {
  /** What it shows, in order, each once. */
  readonly names: readonly string[];
  /** In whole seconds, as its line says and as places read it. */
  readonly startSec: number;
}

/**
 * One line for each group of scenes.
 *
 * @param rule - Chapters that are too short for it are joined with those that follow, the last with the one before it;
 *   no line where too few are left. Null: any chapters.
 */
export function formatChapters(storyboard: Storyboard, rule: ChapterRule | null): string[] {
  const scenes = describeStoryboard(storyboard);
  const chapters = toChapters(scenes);
  const kept = rule === null ? chapters : joinShort(chapters, scenes.at(-1)?.endSec ?? 0, rule);
  return kept.map(({ names, startSec }) => `${formatClock(startSec)} ${joinNames(names)}`);
}

function toChapters(scenes: ReturnType<typeof describeStoryboard>): Chapter[] {
  const chapters: Chapter[] = [];
  for (const { kind, startSec } of scenes) {
    const last = chapters.at(-1)?.names[0];
    const name = CHAPTERS[kind] ?? last;
    if (name !== undefined && name !== last) chapters.push({ names: [name], startSec: Math.floor(startSec) });
  }
  return chapters;
}

/** Each chapter ends as soon as it is long enough, which leaves as many as there can be. */
function joinShort(
  chapters: readonly Chapter[],
  endSec: number,
  { minCount, minSec }: ChapterRule,
): Chapter[] {
  const joined: Chapter[] = [];
  const joinToLast = ({ names }: Chapter): void => {
    const last = joined.pop()!;
    joined.push({ ...last, names: [...new Set([...last.names, ...names])] });
  };
  for (const chapter of chapters) {
    const last = joined.at(-1);
    if (last === undefined) joined.push({ ...chapter, startSec: 0 });
    else if (chapter.startSec - last.startSec < minSec) joinToLast(chapter);
    else joined.push(chapter);
  }
  if (joined.length > 1 && endSec - joined.at(-1)!.startSec < minSec) joinToLast(joined.pop()!);
  return joined.length < minCount ? [] : joined;
}

/** `Facts, photos and contact` */
function joinNames([first = '', ...others]: readonly string[]): string {
  const names = [first, ...others.map((name) => name.toLowerCase())];
  return names.length === 1 ? first : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
