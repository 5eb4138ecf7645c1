// The entry for the registry of MCP servers: what its format and the official registry ask of a server
// that is reached over HTTP.
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { REGISTRY_ENTRY_PATH } from '../../src/i18n/paths.ts';
import { handleCard } from '../../src/mcp/handle-card.ts';
import { bodyOf, SITE } from './ask.ts';

const text = (maxLength: number, more: object = {}) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  ...more,
});

/**
 * The rules of server.schema.json of 2025-12-11 (modelcontextprotocol/static) for an entry without
 * packages, in our words and stricter: nothing that it does not name.
 */
const RULES = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: {
      const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    },
    name: text(200, { minLength: 3, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' }),
    title: text(100),
    description: text(100),
    // No range, and not 'latest': a version.
    version: text(255, { pattern: '^\\d+\\.\\d+\\.\\d+$' }),
    websiteUrl: { type: 'string', format: 'uri' },
    icons: {
      type: 'array',
      items: {
        type: 'object',
        required: ['src'],
        additionalProperties: false,
        properties: {
          src: text(255, { format: 'uri', pattern: '^https://' }),
          mimeType: { enum: ['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp'] },
          sizes: { type: 'array', items: { type: 'string', pattern: '^(\\d+x\\d+|any)$' } },
        },
      },
    },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: {
          type: { const: 'streamable-http' },
          url: { type: 'string', format: 'uri' },
          headers: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              additionalProperties: false,
              properties: {
                name: text(100),
                description: text(500),
                isRequired: { type: 'boolean' },
                isSecret: { type: 'boolean' },
              },
            },
          },
        },
      },
    },
  },
} as const;

const ajv = new Ajv({ allErrors: true });
formats.default(ajv);
const readEntry = (url: string) => {
  const answer = handleCard(REGISTRY_ENTRY_PATH, 'GET', { ...SITE, url });
  if (answer === null) throw new Error('there is no entry');
  return { answer, entry: bodyOf(answer) };
};

test.each(['https://hoy.example', 'https://www.agenda.example', 'http://localhost:4321'])(
  'the entry of %s keeps to the format',
  (url) => {
    const { answer, entry } = readEntry(url);
    expect(ajv.validate(RULES, entry), ajv.errorsText()).toBe(true);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(entry.icons?.length ?? 0).toBe(url.startsWith('https:') ? 1 : 0);
  },
);

test('the endpoint is at the domain that the name stands for, which the registry asks to be proven', () => {
  const { entry } = readEntry('https://www.agenda.example');
  expect(entry.name).toBe('example.agenda.www/agenda');
  const { protocol, hostname } = new URL(entry.remotes[0].url);
  expect([protocol, hostname.split('.').reverse().join('.')]).toEqual([
    'https:',
    entry.name.split('/')[0],
  ]);
});

test('rules that a wrong entry breaks', () => {
  const { entry } = readEntry('https://hoy.example');
  for (const wrong of [
    { name: 'agenda' },
    { description: 'x'.repeat(101) },
    { version: 'latest' },
    { remotes: [] },
    { icons: [{ src: 'http://hoy.example/icon.png' }] },
  ])
    expect(ajv.validate(RULES, { ...entry, ...wrong })).toBe(false);
});
