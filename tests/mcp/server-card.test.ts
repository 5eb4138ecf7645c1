// What the server says of itself: in the form that drafts and the registry ask for, of this site, of this
// server. The registry takes an entry once, and refuses one that is not in its format.
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import {
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_ALIAS_PATH,
  SERVER_CARD_PATH,
} from '../../src/i18n/paths.ts';
import { handleCard, PROTOCOL_VERSIONS } from '../../src/mcp/server-card.ts';
import { bodyOf, SITE } from './ask.ts';

const read = (path: string, url = SITE.url) => {
  const answer = handleCard(path, 'GET', { ...SITE, url });
  if (!answer) throw new Error(`nothing at ${path}`);
  return { ...answer, json: bodyOf(answer) };
};
const NAME = '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$';

test('the card names the endpoint and what it speaks, and is open to every page', () => {
  const card = read(SERVER_CARD_PATH);
  expect(card.headers).toMatchObject({
    'content-type': 'application/mcp-server-card+json',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
  });
  expect(card.json).toMatchObject({
    name: expect.stringMatching(NAME),
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://hoy.example/mcp',
        supportedProtocolVersions: PROTOCOL_VERSIONS,
      },
    ],
  });
  expect(read(SERVER_CARD_ALIAS_PATH)).toEqual(card);
});

/** What server.schema.json of 2025-12-11 (modelcontextprotocol/static) refuses of an entry without packages. */
const RULES = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: {
      const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: NAME },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: { type: 'string', format: 'uri' },
    icons: { items: { properties: { src: { format: 'uri', pattern: '^https://' } } } },
    remotes: {
      minItems: 1,
      items: {
        required: ['type', 'url'],
        properties: { type: { const: 'streamable-http' }, url: { format: 'uri' } },
      },
    },
  },
};

describe('the entry for the registry', () => {
  const ajv = new Ajv({ allErrors: true, strict: false });
  formats.default(ajv);

  test.each(['https://www.agenda.example', 'http://localhost:4321'])(
    'of %s keeps to the format',
    (url) => {
      const { json } = read(REGISTRY_ENTRY_PATH, url);
      expect(ajv.validate(RULES, json), ajv.errorsText()).toBe(true);
      expect(json.icons?.length ?? 0).toBe(url.startsWith('https:') ? 1 : 0);
      expect(json.remotes[0].url).toBe(`${url}/mcp`);
    },
  );
});
