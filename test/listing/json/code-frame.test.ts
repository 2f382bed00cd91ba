import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeFrame, codeFrameLines } from '../../../src/listing/json/code-frame.ts';

const SOURCE = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'].join(
  '\n',
);

describe('a code frame', () => {
  it('shows two lines around, numbered, with carets under the place', () => {
    expect(codeFrame(SOURCE, { line: 9, column: 2, length: 3 })).toBe(
      ['  7 | seven', '  8 | eight', '  9 | nine', '    |  ^^^', ' 10 | ten', ' 11 | eleven'].join('\n'),
    );
  });

  it('stops at both ends of the text', () => {
    expect(codeFrame('a\nb', { line: 1, column: 1, length: 1 })).toBe(' 1 | a\n   | ^\n 2 | b');
    expect(codeFrame('a\nb', { line: 2, column: 2, length: 1 })).toBe(' 1 | a\n 2 | b\n   |  ^');
    expect(codeFrame('', { line: 1, column: 1, length: 1 })).toBe(' 1 |\n   | ^');
  });

  it('shows the requested number of context lines', () => {
    expect(codeFrame(SOURCE, { line: 3, column: 1, length: 5 }, { contextLines: 0 })).toBe(
      ' 3 | three\n   | ^^^^^',
    );
  });

  it('names the kind of each line, for colouring', () => {
    expect(codeFrameLines('a\nb\nc', { line: 2, column: 1, length: 1 }).map(({ kind }) => kind)).toEqual([
      'context',
      'place',
      'marks',
      'context',
    ]);
  });

  it('puts carets right under tabs, wide characters, marks and emoji', () => {
    expect(codeFrame('\t"x": 1', { line: 1, column: 7, length: 1 })).toBe(' 1 |   "x": 1\n   |        ^');
    expect(codeFrame('"日本": x', { line: 1, column: 7, length: 1 })).toBe(' 1 | "日本": x\n   |         ^');
    expect(codeFrame('"日本"', { line: 1, column: 2, length: 2 })).toBe(' 1 | "日本"\n   |  ^^^^');
    expect(codeFrame('"e\u0301": x', { line: 1, column: 7, length: 1 })).toBe(
      ' 1 | "e\u0301": x\n   |      ^',
    );
    expect(codeFrame('"🏠": x', { line: 1, column: 7, length: 1 })).toBe(' 1 | "🏠": x\n   |       ^');
    expect(codeFrame('"한글": x', { line: 1, column: 7, length: 1 })).toBe(' 1 | "한글": x\n   |         ^');
  });

  it('lets no character reach the terminal that could move or hide others', () => {
    const frame = codeFrame('"\u001b[2J\u202e\u0007\u009b\ud800"', { line: 1, column: 2, length: 1 });
    expect(frame).toBe(' 1 | "\ufffd[2J\ufffd\ufffd\ufffd\ufffd"\n   |  ^');
  });

  it('clips long lines around the place, with an ellipsis at each cut', () => {
    const line = Array.from({ length: 40 }, (_, index) => `item${String(index).padStart(2, '0')},`).join('');
    const options = { totalColumns: 35 };
    expect(codeFrame(line, { line: 1, column: 1, length: 4 }, options)).toBe(
      ' 1 | item00,item01,item02,item03,i…\n   | ^^^^',
    );
    expect(codeFrame(line, { line: 1, column: 141, length: 6 }, options)).toBe(
      ' 1 | …8,item19,item20,item21,item2…\n   |           ^^^^^^',
    );
    expect(codeFrame(line, { line: 1, column: 280, length: 1 }, options).split('\n')[0]).toMatch(
      /^ 1 \| ….*item39,$/,
    );
  });

  it('of a file of one line of megabytes is fast', () => {
    const text = `{${'"k":1,'.repeat(1_000_000)}"bad":x}`;
    const frame = codeFrame(text, { line: 1, column: text.length - 1, length: 1 });
    const [line, marks] = frame.split('\n');
    expect(line).toMatch(/^ 1 \| ….*"bad":x\}$/);
    expect(line![marks!.indexOf('^')]).toBe('x');
  });

  it('marks exactly the given characters, anywhere in the line', () => {
    const line = fc.array(fc.constantFrom(...'abc'.split(''), '\t', '日', '🏠', '\u0301', '\u202e'), {
      minLength: 1,
      maxLength: 80,
    });
    fc.assert(
      fc.property(line, fc.nat(), fc.integer({ min: 20, max: 40 }), (characters, pick, widthColumns) => {
        const index = pick % characters.length;
        // A unique character at the place can be found in the frame.
        const source = [...characters.slice(0, index), 'X', ...characters.slice(index + 1)];
        const column = source.slice(0, index).join('').length + 1;
        const lines = codeFrameLines(
          source.join(''),
          { line: 1, column, length: 1 },
          { totalColumns: widthColumns + 5 },
        );
        const shown = lines.find(({ kind }) => kind === 'place')!.text;
        const marks = lines.find(({ kind }) => kind === 'marks')!.text;
        expect(marks).toMatch(/^ *\^$/);
        expect(shown).toContain('X');
        expect(columnsBefore(shown)).toBe(marks.indexOf('^'));
        expect(marks.length).toBeLessThanOrEqual(widthColumns);
      }),
      { numRuns: 2000 },
    );
  });
});

function columnsBefore(shown: string): number {
  let columns = 0;
  for (const character of shown.slice(0, shown.indexOf('X'))) {
    columns += /[日🏠]/u.test(character) ? 2 : character === '\u0301' ? 0 : 1;
  }
  return columns;
}
