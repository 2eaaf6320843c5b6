import { expect, test } from 'bun:test';
import { toCsv } from './table-file.ts';

test.each([
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+1 555', "'+1 555"],
  ['-cmd', "'-cmd"],
  ['\tx', "'\tx"],
  ['-12.5', '-12.5'],
  ['a, b', '"a, b"'],
  ['two\nlines', '"two\nlines"'],
  ['reason: <i>', 'reason: <i>'],
  ['', ''],
])('%p is safe in a spreadsheet', (text, expected) => {
  expect(toCsv([[text, 'x']])).toBe(`${expected},x\r\n`);
});
