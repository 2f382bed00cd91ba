/** A strict reader for the XML that reports are: enough to see that a text is well-formed, and what it says. */

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#9': '\t',
  '#10': '\n',
  '#13': '\r',
};

/** @throws Error for anything that is not well-formed. */
export function readXml(xml: string): XmlElement {
  const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(xml);
  if (illegal) throw new Error(`a character that XML cannot hold at ${illegal.index}`);
  const source = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '').trimEnd();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray => {
    const sticky = new RegExp(pattern, 'uy');
    sticky.lastIndex = at;
    const found = sticky.exec(source);
    if (!found) throw new Error(`expected ${pattern} at ${JSON.stringify(source.slice(at, at + 60))}`);
    at = sticky.lastIndex;
    return found;
  };
  const decode = (text: string): string =>
    text.replace(/&([^;]*);?/g, (whole, name: string) => {
      const char = ENTITIES[name];
      if (char === undefined || !whole.endsWith(';')) throw new Error(`unknown entity ${whole}`);
      return char;
    });
  const readElement = (): XmlElement => {
    const name = take(/<([a-z-]+)/)[1]!;
    const attributes: Record<string, string> = {};
    while (source[at] === ' ') {
      // White space as it is would be read as blanks (XML 1.0, 3.3.3).
      const [, key, value] = take(/ ([a-z]+)="([^"<\t\n]*)"/);
      if (Object.hasOwn(attributes, key!)) throw new Error(`${key} twice`);
      attributes[key!] = decode(value!);
    }
    if (source.startsWith('/>', at)) {
      at += 2;
      return { name, attributes, children: [], text: '' };
    }
    take(/>/);
    const children: XmlElement[] = [];
    let text = '';
    while (!source.startsWith('</', at)) {
      if (source[at] === '<') children.push(readElement());
      else text += decode(take(/[^<]+/)[0]);
    }
    take(new RegExp(`</${name}>`));
    return { name, attributes, children, text };
  };
  const root = readElement();
  if (at !== source.length) throw new Error('something follows the root element');
  return root;
}
