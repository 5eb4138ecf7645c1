// An address counts only where what was read leads to it.
import { describe, expect, test } from 'vitest';
import { findUnexplained } from './explained.ts';

const LLMS = `
- [Today](https://hoy.example/en/today.md), any day: \`/en/date/YYYY-MM-DD.md\`, a place: \`/en/venues/{slug}.md\`
- [Search](https://hoy.example/en/search.md): q, zone, free, date (today, tonight)
- Zones: \`isla-mujeres\`, \`downtown\`; a month: https\\://hoy.example/en/date/YYYY-MM
- [A concert](https://hoy.example/en/events/a-concert)
`;

describe('an address is explained', () => {
  test.each([
    ['a link with .md', '/en/events/a-concert.md'],
    ['a day in a template', '/en/date/2026-11-24.md'],
    ['a month in a template whose signs are escaped', '/en/date/2026-12.md'],
    ['filters that are named, with keys that are', '/en/today.md?zone=isla-mujeres&free=1'],
    ['words of the asker', '/en/search.md?q=anything+at+all&date=tonight'],
  ])('as %s', (_, address) => {
    expect(findUnexplained(address, [LLMS])).toBeNull();
  });

  test('by a document in between', () => {
    expect(findUnexplained('/en/venues/foro.md', [LLMS])).toContain('/en/venues/foro.md');
    expect(findUnexplained('/en/venues/foro.md', [LLMS, 'The place is called foro.'])).toBeNull();
  });
});

describe('an address is not explained', () => {
  test.each([
    ['the page of an event that nobody named', '/en/events/another.md', 'another'],
    ['a filter that nobody named', '/en/today.md?family=1', 'family'],
    ['a key that nobody named', '/en/today.md?zone=atlantis', 'atlantis'],
    ['a part of a key', '/en/today.md?zone=isla', 'isla'],
  ])('as %s', (_, address, what) => {
    expect(findUnexplained(address, [LLMS])).toContain(what);
  });
});
