/** Creates and updates elements. Text becomes text nodes, never markup: no function here takes HTML. */

/**
 * An element. Properties that start with `on` are listeners; `class`, `aria-*`, `data-*` and the like are attributes;
 * null, undefined and false leave a property out.
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Sets the text only if it differs, so that a screen reader does not read it twice. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The same for an attribute; null removes it. */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/**
 * Updates a container's children to match the items. Elements of unchanged items stay, with their focus or playing video.
 *
 * @param parts - Map of the present elements, kept by the caller between calls; `make(item)` returns `{element, update(item)}`.
 */
export function updateList(container, parts, items, keyOf, make) {
  const wanted = new Map(items.map((item) => [keyOf(item), item]));
  for (const [key, part] of parts) {
    if (wanted.has(key)) continue;
    part.element.remove();
    parts.delete(key);
  }
  let previous = null;
  for (const [key, item] of wanted) {
    let part = parts.get(key);
    if (part === undefined) {
      part = make(item);
      parts.set(key, part);
    }
    part.update(item);
    const place = previous === null ? container.firstElementChild : previous.nextElementSibling;
    if (place !== part.element) container.insertBefore(part.element, place);
    previous = part.element;
  }
}

let speechTimer = 0;

/** Announces a text to screen readers: at the next pause, or at once. */
export function announce(text, { isUrgent = false } = {}) {
  const region = document.getElementById(isUrgent ? 'alert' : 'status');
  region.textContent = '';
  clearTimeout(speechTimer);
  // A screen reader ignores a region that changes twice in one step.
  speechTimer = setTimeout(() => {
    region.textContent = text;
  }, 60);
}
