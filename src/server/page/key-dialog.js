/** The API key: one dialog for all waiting requests. The key is kept in this tab's session only. */

const STORAGE_NAME = 'listing-video key';

/** @returns `{read(), ask(fault, refusedKey), forget()}`; `onChange` is called for every change. */
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

  /** @returns True when there is a new key to try, false when the person cancelled. */
  function ask(words, refusedKey) {
    // Another request was refused with the same key, and the person has entered a new one since.
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
    // Only characters that a header and a key can have. Anything else was pasted by mistake.
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
      // Storage can be turned off: the key then lasts until the page is closed.
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
