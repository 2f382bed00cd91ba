/** The API key: asked for once, however many questions wait for it, and kept in this tab's session only. */

const STORAGE_NAME = 'listing-video key';

/** @returns `{read(), ask(fault, refusedKey), forget()}`; `onChange` hears of every change. */
export function createKeyDialog({ onChange }) {
  const dialog = document.getElementById('key-dialog');
  const form = dialog.querySelector('form');
  const input = dialog.querySelector('#key-input');
  const fault = dialog.querySelector('#key-fault');
  let key = readStored();
  let question = null;

  function read() {
    return key;
  }

  /** @returns Whether there is a key worth trying: false when the person declined. */
  function ask(words, refusedKey) {
    // Another question was refused with the same key, and a new one has been given meanwhile.
    if (key !== refusedKey) return Promise.resolve(true);
    question ??= open(words).finally(() => {
      question = null;
    });
    return question;
  }

  function open(words) {
    change(null);
    fault.textContent = words;
    input.value = '';
    dialog.returnValue = '';
    dialog.showModal();
    input.focus();
    return new Promise((resolve) => {
      dialog.addEventListener('close', () => resolve(key !== null), { once: true });
    });
  }

  form.addEventListener('submit', (event) => {
    if (event.submitter?.value === 'cancel') return;
    event.preventDefault();
    const given = input.value.trim();
    // What a header can carry, and what a key looks like: anything else was pasted by mistake.
    if (!/^[\x21-\x7e]+$/.test(given)) {
      fault.textContent = given === '' ? 'Enter a key.' : 'A key has no spaces or special characters.';
      input.focus();
      return;
    }
    change(given);
    input.value = '';
    dialog.close('use');
  });

  function change(next) {
    key = next;
    try {
      if (next === null) sessionStorage.removeItem(STORAGE_NAME);
      else sessionStorage.setItem(STORAGE_NAME, next);
    } catch {
      // Storage may be switched off: the key then lasts until the page is left.
    }
    onChange(key);
  }

  return { read, ask, forget: () => change(null) };
}

function readStored() {
  try {
    return sessionStorage.getItem(STORAGE_NAME);
  } catch {
    return null;
  }
}
