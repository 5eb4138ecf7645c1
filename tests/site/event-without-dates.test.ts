// Event without dates: tests that no surface says that an event took place whose dates only an old
// rule gives (contract 5.4, 6.2).
import { expect, test } from 'vitest';
import { eventPage } from '../../src/site/event-page.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { savedPage } from '../../src/site/saved-page.ts';
import { requestApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, loadFixture, useFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const SLUG = 'taller-pasado';
const town = loadFixture();
const { id = '' } = town.events.find(({ slug }) => slug.es === SLUG) ?? {};
const { snapshot } = useFixture({
  ...town,
  events: town.events.map((event) =>
    event.id === id
      ? { ...event, certainty: 'last_known' as const, source_published: '2017-12-01' }
      : event,
  ),
  occurrences: town.occurrences.filter(({ event }) => event !== id),
});
const state = { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE };
const readPage = async (page: typeof eventPage | typeof savedPage, path: string, query = '') => {
  const outcome = await page.routes[0]?.match(path)?.handle(state, query, null);
  return JSON.parse(JSON.stringify(outcome));
};

test('its page names the year of the last source, and has no date, structured data or saving', async () => {
  const { page } = await readPage(eventPage, SLUG);
  expect(page).toMatchObject({
    is_past: false,
    when: null,
    last_date_label: null,
    past_sentence: 'Último dato: 2017.',
    meta: { json_ld: null },
  });
});

test('its Markdown has that sentence and no section of dates', async () => {
  const text = await createMarkdownResponse(state, `/eventos/${SLUG}`, '').text();
  expect(text).toContain('Último dato: 2017.');
  expect(text).not.toMatch(/^## (Fechas|Última)/m);
});

test('REST has no occurrence, does not call it past, and finds it by its words', () => {
  const { data } = JSON.parse(
    requestApi(snapshot, `/api/v1/events/${SLUG}`).body?.toString() ?? '',
  );
  expect(data).toMatchObject({ occurrences: [], occurrence_count: 0, is_past: false });
  expect([data.certainty, data.next ?? null]).toEqual(['last_known', null]);
  const { meta } = JSON.parse(
    requestApi(snapshot, '/api/v1/events?q=taller+pasado').body?.toString() ?? '',
  );
  expect(meta.nothing.past).toMatchObject([{ id, date: null, certainty: 'last_known' }]);
});

test('its calendar has no date', () => {
  const body = String(requestApi(snapshot, `/api/v1/events/${SLUG}.ics`).body);
  expect(body).toContain('BEGIN:VTIMEZONE');
  expect(body).not.toContain('BEGIN:VEVENT');
});

test('MCP answers with that sentence in the text, and no dates in the structured half', async () => {
  const result = await call('detalle_evento', { id, lang: 'en' }, contextOf(snapshot));
  expect(result.content[0].text).toContain('Last word: 2017.');
  expect(result.structuredContent.data).toMatchObject({
    occurrences: [],
    occurrence_count: 0,
    is_past: false,
  });
});

test('the saved page lists it after the upcoming ones, without a date', async () => {
  const { page } = await readPage(savedPage, '', `ids=${id}`);
  expect(page.lists.map(({ key }: { key: string }) => key)).toEqual(['past']);
});
