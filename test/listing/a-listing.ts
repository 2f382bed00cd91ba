/** A valid listing, new for every test, as JSON that tests can change. */

// biome-ignore lint/suspicious/noExplicitAny: tests put every kind of value into every place
export type Json = any;

/** A listing of required properties only, with one agent. */
export function aListing(): Json {
  return {
    id: 'HP-204128',
    assets: [1, 2, 3, 4, 5].map((number) => ({ url: `https://example.com/${number}.jpg` })),
    agents: [anAgent()],
  };
}

/** An agent of required properties only. */
export function anAgent(id = 'june'): Json {
  return { id, first_name: 'June', last_name: 'Takemori' };
}

/** Every property of a listing, each with a value. */
export function aFullListing(): Json {
  const address = { street: '128 Harbor Pine Lane', city: 'Portland', state: 'OR', postal_code: '97205' };
  return {
    ...aListing(),
    assets: [1, 2, 3, 4, 5].map((number) => ({
      url: `https://example.com/${number}.jpg`,
      type: 'image',
      caption: `Room ${number}`,
      altered: 'Virtually staged',
      original: `https://example.com/${number}-original.jpg`,
      kind: 'photo',
      focus: { x: 0.25, y: 0.6 },
      emphasis: 'high',
    })),
    address,
    bedrooms: 4,
    bathrooms: 3,
    half_bathrooms: 1,
    interior_square_footage: 2840.5,
    agents: [
      {
        ...anAgent(),
        picture: 'https://example.com/june.jpg',
        designation: 'Listing Agent',
        phones: [{ number: '(503) 555-0128', type: 'direct', region: 'US' }],
        emails: [{ address: 'june.takemori@example.com' }],
        licenses: [{ number: '201250128', state: 'OR' }],
        video_options: {
          ratio: '1920:1080',
          template_id: 'classic',
          template_data: { headline: 'Just listed', logo: 'https://example.com/logo.png' },
          create_preview: true,
          metadata: { campaign: 'spring' },
        },
        offices: [
          {
            name: 'Harbor & Pine Realty',
            address: { ...address, street: '40 Wharf Street' },
            phone_number: { number: '(503) 555-0100', type: 'office', region: 'US' },
          },
        ],
      },
    ],
  };
}

/** Puts a value at a path (`undefined` removes what is there) and returns the same object. */
export function withValue(root: Json, path: readonly (string | number)[], value: unknown): Json {
  let parent = root;
  for (const step of path.slice(0, -1)) parent = parent[step];
  const last = path.at(-1)!;
  if (value === undefined) delete parent[last];
  else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  return root;
}
