// The public data as CSV: no text of a stranger is run by a spreadsheet.
import { expect, test } from 'vitest';
import { toCsv } from '../../src/serializers/data-tables.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('%j is a text, with an apostrophe', (text) => {
  const columns = [{ name: 'title', base: 'title', type: 'text' }] as const;
  expect(toCsv({ name: 'events', columns, rows: [[text], [-1]] })).toBe(
    `title\r\n'${text}\r\n-1\r\n`,
  );
});
