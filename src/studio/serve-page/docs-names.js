/**
 * What the viewer leaves out for people who do not see the page or use no mouse: names of its lists, levels of its
 * headings, regions, and a way into what scrolls. React leaves attributes alone that it did not write.
 */

/** The path is the text of a button, in which the viewer puts a link: one of the two cannot be reached. */
globalThis.withoutNestedLinks = ({ React }) => ({
  wrapComponents: {
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

/** By selector: attributes of what is drawn. */
const MISSING = [
  ['.information-container', { role: 'region', 'aria-label': 'About the API' }],
  ['.scheme-container', { role: 'region', 'aria-label': 'Server and keys' }],
  ['#servers', { 'aria-label': 'Server' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['.content-type', { 'aria-label': 'Content type' }],
  ['.body-param__text', { 'aria-label': 'Request body' }],
  ['.info .title', { 'aria-level': '1' }],
  ['.opblock-tag, section.models > h4', { role: 'heading', 'aria-level': '2' }],
  ['.opblock :is(h4, .opblock-title)', { 'aria-level': '3' }],
  ['.opblock h5', { 'aria-level': '4' }],
  ['.body-param__example, .microlight, .example', { tabindex: '0' }],
];

function name(element, words) {
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', words);
}

function nameAll() {
  for (const [selector, attributes] of MISSING)
    for (const element of document.querySelectorAll(
      `#reference ${selector.replaceAll(', ', ', #reference ')}`,
    ))
      for (const [attribute, value] of Object.entries(attributes))
        if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
  for (const row of document.querySelectorAll('#reference [data-param-name]'))
    for (const field of row.querySelectorAll('input, select, textarea')) name(field, row.dataset.paramName);
  for (const responses of document.querySelectorAll('#reference [id$="_responses"]'))
    name(responses, `Responses of ${responses.id.replace(/_responses$/, '')}`);
}

new MutationObserver(nameAll).observe(document.querySelector('#reference'), {
  childList: true,
  subtree: true,
});
