/** A button that copies a text. */
import { useEffect, useState } from 'preact/hooks';
import { announce } from './announce.tsx';

/** How long the button says what happened, ms. */
const ANSWER_MS = 3_000;

interface CopyProps {
  readonly text: string;
  /** What the text is: `address`. */
  readonly what: string;
  readonly words: string;
  /** The words for people who do not see what it belongs to. */
  readonly label: string;
}

export function CopyButton({ text, what, words: first, label }: CopyProps) {
  const [words, setWords] = useState(first);
  useEffect(() => {
    if (words === first) return;
    const back = setTimeout(() => setWords(first), ANSWER_MS);
    return () => clearTimeout(back);
  }, [words, first]);
  // Browsers offer the clipboard only on https and loopback.
  if (navigator.clipboard === undefined) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setWords('Copied');
      announce(`${what.charAt(0).toUpperCase()}${what.slice(1)} copied.`);
    } catch {
      setWords('Could not copy');
      announce('The browser did not allow copying.');
    }
  };
  return (
    <button type="button" class="quiet" aria-label={label} onClick={copy}>
      {words}
    </button>
  );
}
