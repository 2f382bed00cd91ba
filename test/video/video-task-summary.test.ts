/** What lists show of a task: taken from payloads of any version, and from what anyone can send. */
import { expect, it } from 'vitest';
import { summarizePayload } from '../../src/video/video-task-summary.ts';

const summarize = (fields: object) =>
  summarizePayload({ listing: { id: 'HP-1', agents: [{}, {}], ...fields } });

it('has the address of the listing, and none where there is none', () => {
  const address = { street: '128 Harbor Pine Lane', city: 'Portland', state: 'or', postal_code: '97205' };
  expect(summarize({ address })).toEqual({
    label: 'HP-1',
    title: '128 Harbor Pine Lane, Portland, OR',
    resultCount: 2,
    resultNames: ['', ''],
  });
  for (const none of [undefined, null, 7, 'x', [], {}, { street: 7, city: null }, { street: '\u200b ' }])
    expect(Object.keys(summarize({ address: none }) ?? {})).toEqual(['label', 'resultCount', 'resultNames']);
});

it('is one short line, whatever the listing says', () => {
  const title = (street: string) => summarize({ address: { street } })?.title;
  expect(title('12\u0000 Main\n\u202eSt')).toBe('12 Main St');
  expect(title('x'.repeat(5_000_000))).toHaveLength(255);
  // No half of a character at the cut.
  expect(title(`${'x'.repeat(254)}🏠🏠`)).toBe('x'.repeat(254));
});

it('has the names of the agents, short ones too', () => {
  const agents = [
    { first_name: 'June', last_name: 'Take\u0000mori ' },
    { first_name: 'x'.repeat(9_000) },
    null,
    7,
  ];
  const names = summarize({ agents })?.resultNames;
  expect(names).toEqual(['June Takemori', 'x'.repeat(80), '', '']);
});

it('is null for what is no payload', () => {
  for (const payload of [null, 7, [], {}, { listing: null }, { listing: { id: 7, agents: [] } }])
    expect(summarizePayload(payload)).toBeNull();
});
