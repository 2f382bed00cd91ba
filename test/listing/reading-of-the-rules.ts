/**
 * The rules of a listing written a second time, by hand and without the schema, as an oracle for random listings. It
 * reports which rules are broken where, without messages. It knows only the URLs and e-mail addresses of the tables
 * below.
 */

export const URLS: Readonly<Record<string, string | null>> = {
  'https://example.com/a.jpg': null,
  'http://exämple.com/ü b': null,
  '': 'url_parsing',
  'photos/a.jpg': 'url_parsing',
  'https://a:b@example.com/': 'url_parsing',
  'ftp://example.com/': 'url_scheme',
  'file:///etc/passwd': 'url_scheme',
  [`https://example.com/${'x'.repeat(2100)}`]: 'url_too_long',
};

export const EMAILS: Readonly<Record<string, string | null>> = {
  'june@example.com': null,
  'jörg@exämple.com': null,
  june: 'value_error',
  '': 'value_error',
};

type Path = readonly (string | number)[];
type Check = (value: unknown, path: Path) => void;

/** `path type` of every broken rule, in no particular order. */
export function brokenRules(listing: unknown): string[] {
  const broken: string[] = [];
  const say = (path: Path, type: string) => broken.push(`${JSON.stringify(path)} ${type}`);

  const string =
    (minimum = 0, maximum = Number.POSITIVE_INFINITY): Check =>
    (value, path) => {
      if (typeof value !== 'string') return say(path, 'string_type');
      const length = Array.from(value).length;
      if (length < minimum) say(path, 'string_too_short');
      else if (length > maximum) say(path, 'string_too_long');
    };
  const table =
    (answers: Readonly<Record<string, string | null>>): Check =>
    (value, path) => {
      if (typeof value !== 'string') return say(path, 'string_type');
      if (!Object.hasOwn(answers, value)) throw new Error(`the oracle does not know ${value}`);
      const type = answers[value];
      if (type != null) say(path, type);
    };
  const oneOf =
    (...allowed: readonly unknown[]): Check =>
    (value, path) => {
      if (!allowed.includes(value)) say(path, 'literal_error');
    };
  const orNull =
    (check: Check): Check =>
    (value, path) => {
      if (value !== null) check(value, path);
    };
  const count: Check = (value, path) => {
    if (typeof value !== 'number') return say(path, 'int_type');
    if (!Number.isInteger(value)) return say(path, 'int_from_float');
    if (value < 0) say(path, 'greater_than_equal');
  };
  const area: Check = (value, path) => {
    if (typeof value !== 'number') return say(path, 'float_type');
    if (value < 1) say(path, 'greater_than_equal');
  };
  const share: Check = (value, path) => {
    if (typeof value !== 'number') return say(path, 'float_type');
    if (value < 0) say(path, 'greater_than_equal');
    if (value > 1) say(path, 'less_than_equal');
  };
  const flag: Check = (value, path) => {
    if (value !== true && value !== false) say(path, 'bool_type');
  };
  const list =
    (check: Check, minimum = 0, maximum = Number.POSITIVE_INFINITY): Check =>
    (value, path) => {
      if (!Array.isArray(value)) return say(path, 'list_type');
      if (value.length < minimum) say(path, 'too_short');
      if (value.length > maximum) say(path, 'too_long');
      value.forEach((item, index) => void check(item, [...path, index]));
    };
  const object =
    (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
    (value, path) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return say(path, 'dict_type');
      const members = new Map(Object.entries(value));
      for (const [name, check] of Object.entries(required)) {
        if (members.has(name)) check(members.get(name), [...path, name]);
        else say([...path, name], 'missing');
      }
      for (const [name, check] of Object.entries(optional)) {
        if (members.has(name)) check(members.get(name), [...path, name]);
      }
    };
  const map =
    (checkKey: Check, checkValue: (key: string) => Check, maximum = Number.POSITIVE_INFINITY): Check =>
    (value, path) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return say(path, 'dict_type');
      if (Object.keys(value).length > maximum) say(path, 'too_long');
      for (const [key, child] of Object.entries(value)) {
        checkKey(key, [...path, key, '[key]']);
        checkValue(key)(child, [...path, key]);
      }
    };
  const metadataKey: Check = (key, path) => {
    if (Array.from(key as string).length > 40) say(path, 'string_too_long');
    else if (/[[\]]/.test(key as string)) say(path, 'value_error');
  };

  const url = table(URLS);
  const label: Check = (value, path) => {
    if (typeof value !== 'boolean') string(1, 60)(value, path);
  };
  const asset = object(
    { url },
    {
      type: oneOf('image'),
      caption: string(0, 120),
      altered: label,
      original: url,
      kind: oneOf('photo', 'floor_plan'),
      focus: object({ x: share, y: share }),
      emphasis: oneOf('normal', 'high', 'low'),
    },
  );
  const address = object(
    { street: string() },
    { state: orNull(string()), city: orNull(string()), postal_code: orNull(string()) },
  );
  const phone = object(
    { number: string() },
    { type: orNull(oneOf('office', 'mobile', 'direct')), region: orNull(string(2, 2)) },
  );
  const agent = object(
    { id: string(), first_name: string(0, 255), last_name: string(0, 255) },
    {
      picture: orNull(url),
      designation: orNull(string(0, 255)),
      phones: list(phone),
      emails: list(object({ address: table(EMAILS) })),
      licenses: list(object({ number: string(1, 100), state: string(1, 64) })),
      video_options: object(
        {},
        {
          ratio: oneOf('1920:1080', '1080:1920'),
          template_id: orNull(string()),
          template_data: map(
            () => {},
            (key) => (key === 'logo' ? url : string()),
          ),
          create_preview: flag,
          metadata: map(metadataKey, () => string(0, 500), 50),
        },
      ),
      offices: list(
        object({}, { name: orNull(string()), address: orNull(address), phone_number: orNull(phone) }),
      ),
    },
  );
  object(
    {
      id: string(),
      assets: list(asset, 5, 100),
      agents: list(agent, 1, 20),
    },
    {
      address,
      bedrooms: orNull(count),
      bathrooms: orNull(count),
      half_bathrooms: orNull(count),
      interior_square_footage: orNull(area),
    },
  )(listing, ['body']);

  const agents = (listing as { agents?: unknown } | null)?.agents;
  const ids = Array.isArray(agents) ? agents.map((one: { id?: unknown } | null) => one?.id) : [];
  ids.forEach((id, index) => {
    if (typeof id === 'string' && ids.indexOf(id) < index)
      say(['body', 'agents', index, 'id'], 'value_error');
  });
  const assets = (listing as { assets?: unknown } | null)?.assets;
  (Array.isArray(assets) ? assets : []).forEach(
    (one: { altered?: unknown; original?: unknown } | null, index: number) => {
      const isAltered = one?.altered !== undefined && one.altered !== false;
      if (typeof one?.original === 'string' && URLS[one.original] === null && !isAltered)
        say(['body', 'assets', index, 'original'], 'value_error');
    },
  );
  return broken;
}
