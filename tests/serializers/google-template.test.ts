// The address that opens Google's form with one date filled in.
import { afterAll, expect, test } from 'vitest';
import type { EventDetail } from '../../src/domain/agenda.ts';
import { toGoogleTemplateUrl } from '../../src/serializers/calendar.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);

function read(slug: string): EventDetail {
  const detail = getEvent(snapshot, slug, FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error(slug);
  return detail;
}
function fill(detail: EventDetail, lang: 'es' | 'en' = 'es'): Readonly<Record<string, string>> {
  if (detail.next === null) throw new Error('no date');
  const url = new URL(toGoogleTemplateUrl(detail, detail.next, lang, SITE));
  expect(`${url.origin}${url.pathname}`).toBe('https://calendar.google.com/calendar/render');
  return Object.fromEntries(url.searchParams);
}

test('has local hours with their zone, the place, and the event page at the end', () => {
  const filled = fill(read('feria-diaria'), 'en');
  expect(filled).toMatchObject({
    action: 'TEMPLATE',
    text: 'Everyday Fair',
    dates: '20261120T100000/20261120T140000',
    ctz: 'America/Cancun',
    location: 'Malecón Inventado, Av. de Mentiras 1, Cancún, Quintana Roo',
  });
  expect(filled.details).toMatch(
    /Free[\s\S]*\n\nhttps:\/\/agenda\.example\/en\/events\/everyday-fair$/,
  );
});

test('is of whole days where there are no hours, with the exclusive end', () => {
  const filled = fill(read('exposicion-larga'));
  expect(filled.dates).toMatch(/^\d{8}\/\d{8}$/);
});

test('stays an address that browsers take, whatever the event says', () => {
  const detail = read('feria-diaria');
  const long = { es: 'Música & baile = "todo" '.repeat(300), en: 'x' };
  const filled = fill({ ...detail, event: { ...detail.event, summary: long } });
  expect(filled.details?.length).toBeLessThanOrEqual(1_200);
  expect(filled.details).toMatch(/ …\n\nhttps:\/\/agenda\.example\/eventos\/feria-diaria$/);
});
