// Tool catalog: tests that it has all tools, and that the messages of the server name no others.
import { expect, test } from 'vitest';
import en from '../../../src/i18n/en.json' with { type: 'json' };
import es from '../../../src/i18n/es.json' with { type: 'json' };
import { TOOL_NAMES } from '../../../src/i18n/translate.ts';
import { TOOLS } from '../../../src/mcp/tools/catalog.ts';

/** Names with an underscore that the messages may contain: tools, fields and a state. */
const KNOWN_NAMES = [...TOOL_NAMES, 'is_past', 'pending_review', 'status_url'];

test('messages name only existing tools', () => {
  expect(TOOLS.map(({ name }) => name).sort()).toEqual([...TOOL_NAMES].sort());
  const named = [...Object.entries(es), ...Object.entries(en)]
    .filter(([key]) => key.startsWith('mcp.'))
    .flatMap(([, text]) => text.match(/(?<![\w{])[a-z]+(?:_[a-z]+)+(?![\w}])/g) ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !KNOWN_NAMES.includes(name))).toEqual([]);
});
