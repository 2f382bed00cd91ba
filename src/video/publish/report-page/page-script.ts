/** The script of report.html, and its hash for the content security policy. The page can be read without it. */
import { createHash } from 'node:crypto';

/**
 * Gives the videos their captions from the page, since Chromium loads none from a file beside a page of the disk, and
 * makes the buttons copy. A page of another machine without TLS has no `navigator.clipboard`.
 */
export const PAGE_SCRIPT = `
for (const track of document.querySelectorAll('track[data-from]')) {
  const text = document.getElementById(track.dataset.from).textContent;
  track.src = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }));
}
function select(source) {
  const range = document.createRange();
  range.selectNodeContents(source);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}
function copySelected(text) {
  const put = (event) => {
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', put, { once: true });
  try {
    return document.execCommand('copy');
  } finally {
    document.removeEventListener('copy', put);
  }
}
async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector('[role=status]');
  const details = source.closest('details');
  status.textContent = '';
  const isCopied = await Promise.resolve()
    .then(() => navigator.clipboard.writeText(source.textContent))
    .then(() => true, () => false);
  if (isCopied) return void (status.textContent = button.dataset.copied);
  const wasOpen = details.open;
  details.open = true;
  select(source);
  if (copySelected(source.textContent)) {
    details.open = wasOpen;
    getSelection().removeAllRanges();
    status.textContent = button.dataset.copied;
  } else status.textContent = 'The browser does not allow copying. The text is selected: press Ctrl+C, on a Mac Command+C.';
}
for (const copies of document.querySelectorAll('.copies')) copies.hidden = false;
for (const button of document.querySelectorAll('button[data-copy]'))
  button.addEventListener('click', () => copy(button));
`;

/** A source expression (CSP3, 2.3.1). */
export const PAGE_SCRIPT_HASH = `sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}`;
