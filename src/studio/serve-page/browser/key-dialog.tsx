/** The dialog that asks for the API key. `keys.ts` decides when. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { answerQuestion, question } from './keys.ts';

export function KeyDialog() {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState('');
  const words = question.value;

  useLayoutEffect(() => {
    if (words === null) return;
    setFault(words);
    input.current?.focus();
  }, [words]);

  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = input.current?.value.trim() ?? '';
    // Only characters that a header and a key can have. Anything else was pasted by mistake.
    if (!/^[\x21-\x7e]+$/.test(given)) {
      setFault(given === '' ? 'Enter a key.' : 'A key has no spaces or special characters.');
      input.current?.focus();
      return;
    }
    if (input.current !== null) input.current.value = '';
    answerQuestion(given);
  };

  return (
    <Dialog
      id="key"
      title="This service needs a key"
      isOpen={words !== null}
      onClose={() => answerQuestion(null)}
    >
      <form method="dialog" noValidate onSubmit={onSubmit}>
        <p id="key-words" class="hint">
          An operator creates one with <code>listing-video keys create</code>. This tab keeps the key until
          you close it.
        </p>
        <p id="key-fault" class="fault" role="alert">
          {fault}
        </p>
        <label for="key-input">API key</label>
        <input
          ref={input}
          id="key-input"
          name="key"
          type="password"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-describedby="key-words key-fault"
        />
        <p class="actions">
          <button type="submit" class="primary">
            Use this key
          </button>
          <button type="button" class="quiet" onClick={() => answerQuestion(null)}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
