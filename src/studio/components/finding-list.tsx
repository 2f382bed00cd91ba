/** What is wrong with a listing, and what is good to know. Each line leads to its place. */

export interface Finding {
  readonly kind: 'violation' | 'warning';
  /** A sentence. */
  readonly words: string;
  readonly place?: string;
  /** What it concerns: `Photo 2, June Takemori, 9:16`. */
  readonly subject?: string;
  /** The source: what is wrong in it, between what is before and after. */
  readonly source?: readonly [before: string, wrong: string, after: string];
  /** Absent: it leads nowhere. */
  readonly onOpen?: () => void;
}

export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <ul class="findings">
      {findings.map((finding, index) => (
        <li key={`${index} ${finding.words}`} data-kind={finding.kind}>
          {finding.onOpen === undefined ? (
            <p>
              <Line {...finding} />
            </p>
          ) : (
            <button type="button" onClick={finding.onOpen}>
              <Line {...finding} />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Line({ words, place, subject = '', source }: Finding) {
  return (
    <>
      {place !== undefined && <span class="fault">{place} </span>}
      <span class="words">{words}</span>
      {subject !== '' && <span class="soft"> {subject}</span>}
      {source !== undefined && (
        <code class="source">
          {source[0]}
          <mark>{source[1]}</mark>
          {source[2]}
        </code>
      )}
    </>
  );
}
