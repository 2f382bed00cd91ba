/** A prompt for the order of the photos: typed numbers move photos, and so do the arrow keys. */
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
import { applyOrderCommand, keptPhotos, type PhotoOrder } from './order-command.ts';
import type { PromptTheme } from './prompt-theme.ts';

/** One question. */
export interface OrderQuestion {
  readonly message: string;
  /** Photo 1 is the first name, and so on. */
  readonly names: readonly string[];
  /** The order to begin with. */
  readonly order: PhotoOrder;
  /** Limits for the number of kept names. */
  readonly least: number;
  readonly most: number;
  readonly theme: PromptTheme;
  /** Makes a name harmless and as narrow as the terminal. */
  readonly show: (name: string) => string;
  /** Called for `<`. */
  readonly onBack: () => void;
}

/** Lines of at most 60 columns: a window beside the photos is narrow. */
const HELP = [
  'Enter accepts. Or type numbers: 7 opens with photo 7, 9 1 3',
  'puts these first, 5 to 2, 5 last, -4 leaves 4 out.',
  'Or the keys: ↑↓ select, ←→ move, space leaves out.',
];

/** Resolves with the order; {@link keptPhotos} are its photos. */
export const askForOrder = createPrompt<PhotoOrder, OrderQuestion>((question, done) => {
  const theme = makeTheme(question.theme);
  const [status, setStatus] = useState<'idle' | 'done'>('idle');
  const [order, setOrder] = useState<PhotoOrder>(question.order);
  const [active, setActive] = useState(0);
  const [line, setLine] = useState('');
  const [fault, setFault] = useState('');
  const prefix = usePrefix({ status, theme });
  const { sequence, left } = order;

  useKeypress((key, readline) => {
    if (status !== 'idle') return;
    const isEmpty = line === '';
    setFault('');
    if (isEnterKey(key)) {
      if (line.trim() === '<') question.onBack();
      else if (isEmpty) accept();
      else command(readline);
    } else if (isUpKey(key) || isDownKey(key)) {
      setActive((active + (isUpKey(key) ? -1 : 1) + sequence.length) % sequence.length);
      // These keys would bring back earlier lines.
      readline.clearLine(0);
      readline.write(line);
    } else if (isEmpty && isSpaceKey(key)) {
      readline.clearLine(0);
      toggle(sequence[active]!);
    } else if (isEmpty && (key.name === 'left' || key.name === 'right')) {
      swap(active, active + (key.name === 'left' ? -1 : 1));
    } else {
      setLine(readline.line);
    }
  });

  function accept(): void {
    const wrong = validateCount(keptPhotos(order).length, question);
    setFault(wrong ?? '');
    if (wrong !== null) return;
    setStatus('done');
    done(order);
  }

  function command(readline: { write(text: string): void }): void {
    const result = applyOrderCommand(order, line);
    if (result.ok) {
      setOrder(result.order);
      setActive(result.order.sequence.indexOf(result.moved));
      setLine('');
      return;
    }
    setFault(result.fault);
    // Enter has emptied the line: the text comes back, to be fixed.
    readline.write(line);
  }

  function toggle(photo: number): void {
    const others = [...left].filter((other) => other !== photo);
    setOrder({ sequence, left: new Set(left.has(photo) ? others : [...others, photo]) });
  }

  function swap(from: number, to: number): void {
    if (to < 0 || to >= sequence.length) return;
    setOrder({ sequence: sequence.with(from, sequence[to]!).with(to, sequence[from]!), left });
    setActive(to);
  }

  const { style } = theme;
  const page = usePagination({
    items: sequence,
    active,
    pageSize: 12,
    loop: false,
    renderItem: ({ item: photo, isActive }) => {
      const isLeft = left.has(photo);
      const number = `${isLeft ? '-' : ''}${photo}`.padStart(3);
      const text = `${isActive ? '❯' : ' '} ${number}  ${question.show(question.names[photo - 1]!)}`;
      if (isActive) return style.highlight(text);
      return isLeft ? style.help(text) : text;
    },
  });
  const message = style.message(question.message, status);
  if (status === 'done') return `${prefix} ${message}`;
  const count = style.defaultAnswer(`${keptPhotos(order).length} of ${sequence.length}`);
  return [
    `${prefix} ${message} ${count}\n${page}\n: ${line}`,
    fault === '' ? HELP.map((text) => style.help(text)).join('\n') : style.error(fault),
  ];
});

function validateCount(count: number, { least, most }: OrderQuestion): string | null {
  if (count < least) return `at least ${least} photos are needed, not ${count}`;
  return count > most ? `at most ${most} photos, not ${count}` : null;
}
