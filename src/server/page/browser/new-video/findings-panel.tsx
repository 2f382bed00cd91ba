/** What is wrong with a listing that was sent: a list that leads to each place. */
import type { RefObject } from 'preact';
import { locWords } from '../../../../studio/serve-page/browser/words.ts';
import { type Findings, type Mistake, sourceLine } from '../../../../studio/serve-page/browser/new-video/findings.ts';

/** Maximum number of mistakes in the list. */
const MAX_LISTED = 100;

interface FindingsPanelProps {
  readonly findings: Findings | null;
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly onOpen: (mistake: Mistake) => void;
}

export function FindingsPanel({ findings, panel, onOpen }: FindingsPanelProps) {
  return (
    <div class="submit-result" tabIndex={-1} ref={panel}>
      {findings !== null && (
        <div class="problem">
          <h2>{findings.heading}</h2>
          {findings.words !== undefined && <p>{findings.words}</p>}
          {findings.mistakes.length > 0 && (
            <ol class="violations">
              {findings.mistakes.slice(0, MAX_LISTED).map((mistake, index) => (
                <li key={index}>
                  <MistakeButton text={findings.text} mistake={mistake} onOpen={onOpen} />
                </li>
              ))}
            </ol>
          )}
          {findings.mistakes.length > MAX_LISTED && (
            <p class="hint">and {findings.mistakes.length - MAX_LISTED} more.</p>
          )}
        </div>
      )}
    </div>
  );
}

interface MistakeButtonProps {
  readonly text: string;
  readonly mistake: Mistake;
  readonly onOpen: (mistake: Mistake) => void;
}

function MistakeButton({ text, mistake, onOpen }: MistakeButtonProps) {
  const [before, wrong, after] = sourceLine(text, mistake);
  return (
    <button type="button" class="violation" onClick={() => onOpen(mistake)}>
      <span class="line">Line {mistake.line}</span>{' '}
      <span class="what">
        <code>{locWords(mistake.loc)}</code> {mistake.msg}
      </span>{' '}
      <code class="source">
        {before}
        <mark>{wrong}</mark>
        {after}
      </code>
    </button>
  );
}
