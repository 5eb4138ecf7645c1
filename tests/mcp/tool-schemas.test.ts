// Tool schemas: the arguments are what every host accepts, and the filters of REST (contract 13.4, 14.74).
import { describe, expect, test } from 'vitest';
import {
  VENUE_LIST_PARAMETERS,
  NOTICE_LIST_PARAMETERS,
} from '../../src/domain/query/list-queries.ts';
import { LIST_PARAMETER_NAMES } from '../../src/domain/query/parameters.ts';
import type { JsonSchema } from '../../src/mcp/tool.ts';
import { listTools } from '../../src/mcp/tools/catalog.ts';
import { useFixture } from '../fixtures/fixture.ts';
import { TOKEN_LIMITS, countTextTokens } from '../fixtures/count-tokens.ts';

const { snapshot } = useFixture();
const tools = listTools(snapshot);
const argumentsOf = (name: string): Readonly<Record<string, JsonSchema>> => {
  const schema: JsonSchema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  return schema.properties ?? {};
};

test.each(tools.map(({ name }) => name))('every argument of %s has a description', (name) => {
  const missing = Object.entries(argumentsOf(name)).filter(
    ([, { description }]) => typeof description !== 'string' || description.trim() === '',
  );
  expect(missing.map(([argument]) => argument)).toEqual([]);
});

test('no argument has a format, which some hosts refuse together with the whole request', () => {
  for (const { inputSchema } of tools)
    expect(JSON.stringify(inputSchema)).not.toContain('"format"');
});

describe('filters', () => {
  /** Only for lists that a person saved on this site. */
  const REST_ONLY = ['ids'];
  test.each([
    ['buscar_eventos', LIST_PARAMETER_NAMES.filter((name) => !REST_ONLY.includes(name))],
    ['lugares', VENUE_LIST_PARAMETERS],
    ['avisos_hoy', NOTICE_LIST_PARAMETERS],
  ])('%s takes those of its list in REST', (name, parameters) => {
    expect(Object.keys(argumentsOf(name))).toEqual(expect.arrayContaining([...parameters]));
  });
});

test('the list of tools leaves a sixth of its limit free', () => {
  expect(countTextTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(TOKEN_LIMITS.list * 0.85);
});
