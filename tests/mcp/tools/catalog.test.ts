// The table of the tools: each that is promised, and no words of the server name another.
import { expect, test } from 'vitest';
import en from '../../../src/i18n/en.json' with { type: 'json' };
import es from '../../../src/i18n/es.json' with { type: 'json' };
import { TOOL_NAMES } from '../../../src/i18n/translate.ts';
import { TOOLS } from '../../../src/mcp/tools/catalog.ts';

/** What else is written with an underscore in the words of the server: fields and a state. */
const KNOWN = [...TOOL_NAMES, 'is_past', 'pending_review', 'status_url'];

test('the words send a model only to tools that there are', () => {
  expect(TOOLS.map(({ name }) => name).sort()).toEqual([...TOOL_NAMES].sort());
  const named = [...Object.entries(es), ...Object.entries(en)]
    .filter(([key]) => key.startsWith('mcp.'))
    .flatMap(([, text]) => text.match(/(?<![\w{])[a-z]+(?:_[a-z]+)+(?![\w}])/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !KNOWN.includes(name))).toEqual([]);
});
