// Agenda page of today: events that are on come first on the page, in Markdown, in the tool and in JSON (contract 8.23).
import { expect, test } from 'vitest';
import { loadAgendaPage, buildAgendaView } from '../../src/site/agenda-page.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { getFromApi } from '../fixtures/ask.ts';
import { localMs } from '../fixtures/fixture.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const town = openPageContext();
const { snapshot } = town;

test.each([
  ['2026-11-20T19:30:05', '/en/events/one-off-concert', 'picks', 'Worth your while'],
  ['2026-11-20T22:10:05', '/en/events/friday-night-out', 'now_nightclubs', 'Nightclubs open now'],
  ['2026-11-21T00:40:05', '/en/events/friday-night-out', 'now_nightclubs', 'Nightclubs open now'],
])('at %s %s is on now on every surface', async (local, path, key, heading) => {
  const now_ms = localMs(local);
  const state = { ...town, now_ms };
  const now = getFromApi(snapshot, EventListResponse, '/api/v1/events?date=now&lang=en', {
    now_ms,
  });
  const with_hours = now.data.filter(({ next }) => next?.all_day === false);
  expect(with_hours.map(({ url }) => url)).toEqual([`${SITE.url}${path}`]);
  const outcome = loadAgendaPage(state, { lang: 'en', date: 'today' }, '');
  if (outcome.kind !== 'page') throw new Error('no agenda');
  const { highlights, lists } = buildAgendaView(outcome.page);
  const rows = key === 'picks' ? highlights?.rows : lists.find((list) => list.key === key)?.rows;
  expect(rows?.map((row) => row.path)).toEqual([path]);
  const markdown = await createMarkdownResponse(state, '/en/today').text();
  const { content } = await call('eventos_hoy', { lang: 'en' }, contextOf(snapshot, { now_ms }));
  for (const text of [markdown, content[0].text])
    expect(text.split(`## ${heading}`)[1]?.split('\n## ')[0]).toContain(path);
});

test.each(['/en/week', '/en/weekend'])(
  '%s in Markdown begins with ongoing events of last night',
  async (path) => {
    const renderAt = (local: string): Promise<string> =>
      createMarkdownResponse({ ...town, now_ms: localMs(local) }, path).text();
    const night = await renderAt('2026-11-21T00:40:05');
    const [, first = ''] = night.split(/\n## (?!Notices|At a glance)/);
    expect(first).toMatch(/^Nightclubs open now \(18\+\)\n\n### .*Friday Night Out/);
    expect(await renderAt('2026-11-20T19:30:05')).not.toContain('open now');
  },
);
