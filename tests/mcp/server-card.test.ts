// Server card: tests the card and the registry entry against their drafts and schemas (contract 13.17).
import { expect, test } from 'vitest';
import {
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_ALIAS_PATH,
  SERVER_CARD_PATH,
} from '../../src/i18n/paths.ts';
import { handleServerCard, PROTOCOL_VERSIONS } from '../../src/mcp/server-card.ts';
import { bodyOf, SITE } from './ask.ts';

const read = (path: string, url = SITE.url) => {
  const answer = handleServerCard(path, 'GET', { ...SITE, url });
  if (!answer) throw new Error(`nothing at ${path}`);
  return { ...answer, json: bodyOf(answer) };
};
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

test('the card has the endpoint and its protocol revisions, and is readable by every origin', () => {
  const card = read(SERVER_CARD_PATH);
  expect(card.headers).toMatchObject({
    'content-type': 'application/mcp-server-card+json',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
  });
  const url = 'https://hoy.example/mcp';
  expect(card.json.name).toMatch(NAME);
  expect(card.json.remotes).toMatchObject([{ url, supportedProtocolVersions: PROTOCOL_VERSIONS }]);
  expect(read(SERVER_CARD_ALIAS_PATH)).toEqual(card);
});

test.each([
  ['https://www.agenda.example', 1],
  ['http://localhost:4321', undefined],
])('the entry of %s matches the registry schema', (url, icons) => {
  const { json } = read(REGISTRY_ENTRY_PATH, url);
  // The limits of server.schema.json of 2025-12-11 (modelcontextprotocol/static).
  expect(json).toMatchObject({
    name: expect.stringMatching(NAME),
    title: expect.stringMatching(/^.{1,100}$/),
    description: expect.stringMatching(/^.{1,100}$/),
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    remotes: [{ type: 'streamable-http', url: `${url}/mcp` }],
  });
  expect(json.remotes[0]).not.toHaveProperty('supportedProtocolVersions');
  expect(json.icons?.length).toBe(icons);
});
