/** An open house is broken into lines between events, or a date and its times, never inside them. */
import { describe, expect, it } from 'vitest';
import { breakableDates } from '../../../src/design/text/break-dates.ts';
import { breakOpportunities, stripBreakMarks } from '../../../src/design/text/break-text.ts';

function partsOf(text: string, isFine: boolean): string[] {
  const marked = breakableDates(text);
  const offsets = [0, ...breakOpportunities(marked, isFine)];
  return offsets.map((start, at) => stripBreakMarks(marked.slice(start, offsets[at + 1])));
}

describe('the lines of an open house', () => {
  it.each([
    [['Sat, Nov 28 ·', '1–3 PM']],
    [['Sat, Nov 28 · 1–3 PM;', 'Sun, Nov 29 · 11 AM–1 PM']],
    [['Saturday, November 28, 2026,', '1 to 4 pm']],
    [['Saturday 12', 'and Sunday 13 December,', '10.30 am to 4.30 pm,', 'coffee in the garden']],
    [['Saturday 12 December', 'from 1 to 4 pm']],
    [['Nov 28, 29 and 30,', '1-3 PM']],
    [['Nov 28 & 29,', '1-3 PM']],
    [['Sat 11/28 1-3PM |', 'Sun 11/29 1-3PM']],
    [['12/12/2026,', '13:00-16:00']],
    [['Samstag, 28. November,', '13 bis 16 Uhr']],
    [['Sat, Nov 28, 1-3 PM', 'and Sun, Nov 29, 11 AM-1 PM']],
    [['sáb 28 nov, de 13h a 15h', 'y dom 29 nov, 11h-13h']],
    [['שבת, 28 בנובמבר ·', '13:00–15:00']],
    [['السبت، ٢٨ نوفمبر ·', 'من ١ إلى ٣ مساءً']],
    [['11月28日（周六）', '下午1点至3点；', '11月29日（周日）', '下午1点至3点']],
    [['11월 28일 (토)', '오후 1시–3시']],
    [['By appointment,', 'call', 'the', 'office', 'for', 'the', 'gate', 'code']],
  ])('are %j', (parts) => {
    for (const isFine of [false, true])
      expect(partsOf(parts.join(/^\d+月/.test(parts[0]!) ? '' : ' '), isFine)).toEqual(parts);
  });

  it.each(['11月28日星期六 13:00–15:00', '11月28日（周六）下午1点至3点', '11月28日（周六） 下午1点至3点'])(
    'keep the space before the times, or their want of one: %s',
    (text) => {
      expect(stripBreakMarks(breakableDates(text)).replaceAll('\u00a0', ' ')).toBe(text);
    },
  );
});
