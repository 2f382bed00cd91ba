/** A prompt for the order of the photos in the video: up and down select, left and right move, space leaves out. */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isSpaceKey,
  isUpKey,
  makeTheme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from '@inquirer/core';
import type { PromptTheme } from './prompt-theme.ts';

/** One question. */
export interface OrderQuestion {
  readonly message: string;
  readonly names: readonly string[];
  /** Limits for the number of kept names. */
  readonly least: number;
  readonly most: number;
  readonly theme: PromptTheme;
  /** Makes a name harmless and as narrow as the terminal. */
  readonly show: (name: string) => string;
}

interface Item {
  readonly name: string;
  readonly isKept: boolean;
}

const KEYS = '↑↓ select, ←→ move, space leaves out, enter accepts';

/** Resolves with the kept names in their order. */
export const askForOrder = createPrompt<readonly string[], OrderQuestion>((question, done) => {
  const theme = makeTheme(question.theme);
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [items, setItems] = useState<readonly Item[]>(
    question.names.map((name, index) => ({ name, isKept: index < question.most })),
  );
  const [active, setActive] = useState(0);
  const [fault, setFault] = useState('');
  const prefix = usePrefix({ status, theme });
  const kept = items.filter(({ isKept }) => isKept).map(({ name }) => name);

  useKeypress((key, readline) => {
    if (status !== 'idle') return;
    readline.clearLine(0);
    setFault('');
    if (isEnterKey(key)) {
      const wrong = validateCount(kept.length, question);
      setFault(wrong ?? '');
      if (wrong !== null) return;
      setStatus('done');
      done(kept);
    } else if (isUpKey(key) || isDownKey(key)) {
      setActive((active + (isUpKey(key) ? -1 : 1) + items.length) % items.length);
    } else if (isSpaceKey(key)) {
      setItems(items.map((item, index) => (index === active ? { ...item, isKept: !item.isKept } : item)));
    } else if (key.name === 'left' || key.name === 'right') {
      const to = active + (key.name === 'left' ? -1 : 1);
      if (to < 0 || to >= items.length) return;
      setItems(items.with(active, items[to]!).with(to, items[active]!));
      setActive(to);
    }
  });

  const { style } = theme;
  const page = usePagination({
    items,
    active,
    pageSize: 12,
    loop: false,
    renderItem: ({ item, index, isActive }) => {
      const line = `${isActive ? '❯' : ' '} ${placeOf(items, index)}  ${question.show(item.name)}`;
      if (isActive) return style.highlight(line);
      return item.isKept ? line : style.help(line);
    },
  });
  const message = style.message(question.message, status);
  if (status === 'done')
    return `${prefix} ${message} ${style.answer(`${kept.length}, ${question.show(kept[0] ?? '')} first`)}`;
  return [`${prefix} ${message}\n${page}`, fault === '' ? style.help(KEYS) : style.error(fault)];
});

/** The number in the video, or a dash for a photo that is left out. */
function placeOf(items: readonly Item[], index: number): string {
  const place = items[index]!.isKept ? items.slice(0, index + 1).filter(({ isKept }) => isKept).length : '-';
  return String(place).padStart(3);
}

function validateCount(count: number, { least, most }: OrderQuestion): string | null {
  if (count < least) return `at least ${least} photos are needed, not ${count}`;
  return count > most ? `at most ${most} photos, not ${count}` : null;
}
