// The table of the tools: each has words, and no words name a tool that there is not.
import { expect, test } from 'vitest';
import en from '../../../src/i18n/en.json' with { type: 'json' };
import es from '../../../src/i18n/es.json' with { type: 'json' };
import { TOOL_NAMES } from '../../../src/i18n/translate.ts';
import { TOOLS } from '../../../src/mcp/tools/catalog.ts';

/** What else is written with an underscore in the words of the server: fields and a state. */
const FIELDS = ['is_past', 'pending_review', 'status_url'];

test('every tool has words under its name, and there are words for no other', () => {
  expect(TOOLS.map(({ name }) => name).sort()).toEqual([...TOOL_NAMES].sort());
});

test.each([
  ['es', es],
  ['en', en],
] as const)('the words in %s send a model only to tools that there are', (_lang, words) => {
  const named = Object.entries(words)
    .filter(([key]) => key.startsWith('mcp.'))
    .flatMap(([, text]) => text.match(/(?<![\w{])[a-z]+(?:_[a-z]+)+(?![\w}])/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !TOOL_NAMES.includes(name) && !FIELDS.includes(name))).toEqual([]);
});
