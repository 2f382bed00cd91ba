import { describe, expect, it } from 'vitest';
import {
  breakableEmail,
  breakableStreet,
  breakOpportunities,
  graphemes,
  joinWithMiddleDots,
  stripBreakMarks,
  unbreakable,
} from '../../../src/design/text/break-text.ts';

/** The text with a bar wherever a line can start. */
function bars(text: string, isFine = false): string {
  const offsets = [0, ...breakOpportunities(text, isFine)];
  return offsets.map((offset, index) => text.slice(offset, offsets[index + 1])).join('|');
}

describe('breakOpportunities', () => {
  it.each([
    ['Hardwood floors throughout', 'Hardwood |floors |throughout'],
    ['two  spaces', 'two  |spaces'],
    ['Saint Bartholomew-on-the-Hill', 'Saint |Bartholomew-on-the-Hill'],
    ['word—word', 'word—|word'],
    ['555-0128 and 1998-2004', '555-0128 |and |1998-2004'],
    ['4-bed', '4-bed'],
    ["don't (ever) stop.", "don't |(ever) |stop."],
    ['Portland · Oregon', 'Portland · |Oregon'],
    ['Nguyễn Thị', 'Nguyễn |Thị'],
    ['ليلى الحسيني', 'ليلى |الحسيني'],
    ['בית בן-גוריון', 'בית |בן-גוריון'],
    ['a\u00a0b\u202fc', 'a\u00a0b\u202fc'],
    ['long\u200bword', 'long\u200b|word'],
    ['well-\u2060known', 'well-\u2060known'],
    ['Call (503) 555-0128 now', 'Call |(503) 555-0128 |now'],
    ['Call +44 20 7946 0958 now', 'Call |+44 20 7946 0958 |now'],
    ['Unit 12 sold 2024', 'Unit |12 |sold |2024'],
    ['Licence OR 201250142 here', 'Licence |OR 201250142 |here'],
    ['CA DRE #01234567', 'CA |DRE #01234567'],
    ['Portland, OR 97205', 'Portland, |OR 97205'],
    ['mail anne-marie.o/k@my-home.example.com', 'mail |anne-marie.o/k|@my-home.example.com'],
    ['see www.my-home.example/for-sale/12', 'see |www.my-home.example/|for-sale/|12'],
  ])('%s', (text, expected) => {
    expect(bars(text)).toBe(expected);
  });

  it('breaks Thai between words, never between a letter and its mark', () => {
    expect(bars('สวัสดีครับบ้านสวย')).toBe('สวัสดี|ครับ|บ้าน|สวย');
  });

  it('breaks Chinese and Japanese between words, and keeps closing signs with what they close', () => {
    expect(bars('东京的房子')).toMatch(/\|/);
    expect(bars('「美しい家」、東京。')).not.toMatch(/\|[」、。]|「\|/);
    expect(bars('서울 아파트')).toBe('서울 |아파트');
  });

  it.each([
    ['东京的房子', '东|京|的|房|子'],
    ['「美しい家」、東京。', '「美|し|い|家」、|東|京。'],
    ['キャッチャー', 'キャッ|チャー'],
    ['時々〜寝る…！', '時々〜|寝|る…！'],
    ['서울특별시 강남구', '서|울|특|별|시 |강|남|구'],
    ['3LDK（南向き）', '3LDK|（南|向|き）'],
    ['価格￥5000万', '価|格|￥5000|万'],
    ['Horizon不動産', 'Horizon|不|動|産'],
    ['か\u3099き', 'か\u3099|き'],
    ['Konstantinopoulou-Hale', 'Konstantinopoulou-|Hale'],
    ['kitchen/diner', 'kitchen/|diner'],
    ['בן-גוריון', 'בן-|גוריון'],
  ])('breaks %s inside words only where no size is small enough', (text, expected) => {
    expect(bars(text, true)).toBe(expected);
  });

  it('keeps a number with the character that counts it while there is another way', () => {
    expect(bars('世纪大道100号')).toBe('世纪|大道|100号');
  });

  it('never parts a surrogate pair or an emoji sequence', () => {
    expect(bars('👨‍👩‍👧👨‍👩‍👧')).toBe('👨‍👩‍👧👨‍👩‍👧');
    expect(bars('𠮷野家')).not.toMatch(/[\ud800-\udbff]\|/);
  });

  it('has nothing to say about an empty text', () => {
    expect(breakOpportunities('')).toEqual([]);
  });
});

describe('marks', () => {
  it.each([
    '(503) 555-0128',
    '+44 20 7946 0958',
    'OR 201250142',
    'Harbor & Pine Realty',
    'Smith-Jones / Partners',
    '东京房产',
  ])('make %s one word', (text) => {
    expect(breakOpportunities(unbreakable(text))).toEqual([]);
    expect(breakOpportunities(unbreakable(text), true)).toEqual([]);
    expect(stripBreakMarks(unbreakable(text))).toBe(text);
  });

  it('are not doubled', () => {
    expect(unbreakable(unbreakable('Smith-Jones Realty'))).toBe(unbreakable('Smith-Jones Realty'));
  });

  it('let an e-mail break before the at sign alone', () => {
    for (const email of ['june.takemori@example.com', 'a-b/c@d-e.example', '"x@y"@example.com']) {
      const marked = breakableEmail(email);
      expect(bars(marked).split('|').map(stripBreakMarks)).toEqual([
        email.slice(0, email.lastIndexOf('@')),
        email.slice(email.lastIndexOf('@')),
      ]);
    }
    expect(breakOpportunities(breakableEmail('no-at-sign'))).toEqual([]);
  });

  it.each([
    ['128 Harbor Pine Lane', ['128 Harbor', 'Pine', 'Lane']],
    ['12 1/2 Main Street', ['12 1/2 Main', 'Street']],
    ['1600 Pennsylvania Avenue, Apartment 1204', ['1600 Pennsylvania', 'Avenue,', 'Apartment 1204']],
    ['Lange Hauptstraße 12a', ['Lange', 'Hauptstraße 12a']],
    ['221B Baker Street', ['221B Baker', 'Street']],
    ['450 42nd Street', ['450 42nd', 'Street']],
    ['One Market Plaza', ['One', 'Market', 'Plaza']],
    ['1234', ['1234']],
    ['', ['']],
  ])('keep the numbers of %s with a word', (street, words) => {
    expect(bars(breakableStreet(street)).split('|').map(stripBreakMarks)).toEqual(words);
  });

  it('keep a middle dot with the word before it', () => {
    const line = joinWithMiddleDots(['OR 201250142', 'CA DRE #01234567']);
    expect(bars(line).split('|').map(stripBreakMarks)).toEqual(['OR 201250142 ·', 'CA DRE #01234567']);
  });

  it('vanish from a line', () => {
    expect(stripBreakMarks(' a\u00a0b\u2060-\u200bc ')).toBe('a b-c');
  });
});

describe('graphemes', () => {
  it('are what a reader sees as characters', () => {
    expect(graphemes('e\u0301👩‍🍳नि')).toEqual(['e\u0301', '👩‍🍳', 'नि']);
  });
});
