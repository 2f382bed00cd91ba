/** The error that replaces the content when a request failed and there is nothing to show. */
import type { ComponentChildren } from 'preact';
import { sentence } from '../../components/words.ts';
import type { ApiProblem } from './api.ts';

const HEADINGS: Readonly<Record<number, string>> = {
  0: 'No connection',
  401: 'A key is needed',
  402: 'Not enough credits',
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Not available right now',
};

interface ProblemPanelProps {
  readonly problem: Pick<ApiProblem, 'status' | 'message'>;
  readonly children?: ComponentChildren;
}

export function ProblemPanel({ problem: { status, message }, children }: ProblemPanelProps) {
  return (
    <div class="problem">
      <h2>{HEADINGS[status] ?? 'Something went wrong'}</h2>
      <p>{status === 401 ? 'Enter it to see the tasks and make videos.' : sentence(message)}</p>
      {children}
      {status === 401 && (
        <p>
          <button type="button" onClick={() => location.reload()}>
            Enter a key
          </button>
        </p>
      )}
    </div>
  );
}
