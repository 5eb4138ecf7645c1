// The documents about the server: in the form their drafts ask for, of this site, of this server.
import { afterAll, expect, test } from 'vitest';
import { AI_CATALOG_PATH, SERVER_CARD_ALIAS_PATH, SERVER_CARD_PATH } from '../../src/i18n/paths.ts';
import { handleCard, CARD_PATHS } from '../../src/mcp/handle-card.ts';
import { PROTOCOL_VERSIONS } from '../../src/mcp/server-card.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { askLegacy, askModern, bodyOf, contextOf, SITE } from './ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const read = (path: string, method = 'GET', site = SITE) => {
  const answer = handleCard(path, method, site);
  if (!answer) throw new Error(`nothing at ${path}`);
  return answer;
};

test('the card names the endpoint and what it speaks, and is open to every page', () => {
  const card = read(SERVER_CARD_PATH);
  expect(card.headers).toMatchObject({
    'content-type': 'application/mcp-server-card+json',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
  });
  const { name, description, remotes } = bodyOf(card);
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(description.length).toBeLessThanOrEqual(100);
  expect(remotes).toMatchObject([
    {
      type: 'streamable-http',
      url: 'https://hoy.example/mcp',
      supportedProtocolVersions: PROTOCOL_VERSIONS,
    },
  ]);
  expect(read(SERVER_CARD_ALIAS_PATH)).toEqual(card);
});

test('every revision on the card is spoken', async () => {
  const context = contextOf(snapshot);
  const [newest, ...earlier] = PROTOCOL_VERSIONS;
  expect(bodyOf(await askModern('server/discover', {}, context)).result.supportedVersions).toEqual([
    newest,
  ]);
  for (const version of earlier)
    expect((await askLegacy('tools/list', {}, context, version)).status).toBe(200);
});

test('the catalog points at the card', () => {
  const catalog = read(AI_CATALOG_PATH);
  expect(catalog.headers['content-type']).toBe('application/ai-catalog+json');
  const { specVersion, host, entries } = bodyOf(catalog);
  expect([specVersion, host]).toEqual(['1.0', { displayName: 'Hoy Cancún' }]);
  expect(entries).toMatchObject([
    {
      identifier: 'urn:air:hoy.example:mcp:agenda',
      type: 'application/mcp-server-card+json',
      url: 'https://hoy.example/mcp/server-card',
    },
  ]);
  expect(entries[0].representativeQueries.length).toBeGreaterThanOrEqual(2);
});

test('each is there under any address the site may have, and nothing else is', () => {
  for (const url of ['http://localhost:4321', 'http://[::1]:4321', 'http://192.0.2.1']) {
    for (const path of CARD_PATHS)
      expect(bodyOf(read(path, 'GET', { ...SITE, url }))).toBeTypeOf('object');
    expect(bodyOf(read(SERVER_CARD_PATH, 'GET', { ...SITE, url })).name).toMatch(
      /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/,
    );
  }
  expect(handleCard('/mcp/other', 'GET', SITE)).toBeNull();
  expect(handleCard('toString', 'GET', SITE)).toBeNull();
});
