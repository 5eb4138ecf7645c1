// Smoke test: requests one path of each kind from a candidate, and names each problem.
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { HttpResponse } from '../../src/http/message.ts';
import { smokeTestCandidate } from '../../src/server/smoke-test.ts';
import { FRIDAY_NOON_MS, loadFixture, useFixture } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';
import { createFakeCode } from './fake-release.ts';

const TOWN = loadFixture();
const NAMES = [...TOWN.events.map(({ title }) => title.es), ...TOWN.venues.map(({ name }) => name)];
const { path } = useFixture();
const folder = useFolder();
const { code } = createFakeCode(folder);

/** Tests code whose pages contain the names of all events and venues, and are changed by `alter`. */
const runSmokeTest = (alter: (page: HttpResponse, url: string) => HttpResponse = (page) => page) =>
  smokeTestCandidate(
    loadConfig({ DATA_DIR: folder }),
    path,
    {
      ...code,
      render: async (url, state, visit) => {
        const page = await code.render(url, state, visit);
        return alter({ ...page, body: `${String(page.body)} ${NAMES.join(', ')}` }, url);
      },
    },
    FRIDAY_NOON_MS,
  );

test('accepts a candidate that responds correctly', async () => {
  expect(await runSmokeTest()).toEqual([]);
});

test('reports a page with a wrong status or type, without the name of its record, or that throws', async () => {
  const issues = await runSmokeTest((page, url) => {
    if (url === '/avisos') return { ...page, status: 503 };
    if (url === '/buscar?q=museo') return { ...page, headers: { 'content-type': 'text/plain' } };
    if (url === '/eventos/exposicion-larga') return { ...page, body: 'nothing' };
    if (url === '/llms.txt') throw new Error('out of paper');
    return page;
  });
  expect(issues).toEqual([
    '/avisos fails: The page at /avisos responded with 503',
    '/avisos responded with 503 instead of 200',
    "/eventos/exposicion-larga does not contain 'Exposición larga'",
    '/buscar?q=museo is text/plain instead of text/html',
    '/llms.txt fails: out of paper',
    '/llms.txt responded with 500 instead of 200',
  ]);
});
