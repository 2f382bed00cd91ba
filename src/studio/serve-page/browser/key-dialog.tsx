/** The dialog that asks for the API key. `keys.ts` decides when. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { answerQuestion, question } from './keys.ts';

export function KeyDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState('');
  const words = question.value;

  useLayoutEffect(() => {
    if (words === null) return dialog.current?.close();
    setFault(words);
    dialog.current?.showModal();
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
    <dialog
      ref={dialog}
      aria-labelledby="key-title"
      onClose={() => {
        if (question.peek() !== null) answerQuestion(null);
      }}
    >
      <form method="dialog" noValidate onSubmit={onSubmit}>
        <h2 id="key-title">This service needs a key</h2>
        <p id="key-help" class="hint">
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
          aria-describedby="key-help key-fault"
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
    </dialog>
  );
}
