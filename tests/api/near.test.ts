// A list by nearness says what it cannot place (contract 7.16).
import { afterAll, describe, expect, test } from 'vitest';
import { EventListResponse } from '../../src/serializers/wire/responses.ts';
import { respondMarkdown } from '../../src/site/markdown.ts';
import { loadSearch } from '../../src/site/search.ts';
import { askFor } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

describe('near', () => {
  const { snapshot, close } = openFixture();
  afterAll(() => close());
  const near = 'near=21.1266,-86.8161';

  test('says how many events have no point and are left out, on every surface', () => {
    const { without_place } = askFor(snapshot, EventListResponse, `/api/v1/events?${near}`).meta;
    expect(without_place).toBeGreaterThan(0);
    const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
    const { narrowing } = loadSearch(state, { lang: 'en' }, near).page;
    expect(narrowing.remarks).toEqual([
      `Leaves out ${without_place} whose exact place we don’t know.`,
    ]);
    return respondMarkdown(state, '/en/search', near)
      .text()
      .then((text) => expect(text).toContain(narrowing.remarks[0]));
  });

  test('says on every surface how many are measured to their zone, and how far that can be off', async () => {
    const made = readFixture();
    // A point of its own, two kilometres from the middle of its zone.
    const middle = { lat: 21.1446, lng: -86.8161 };
    const zones = made.taxonomy.zones.map((zone) =>
      zone.key === 'tajamar' ? { ...zone, middle } : zone,
    );
    const dataset = { ...made, taxonomy: { ...made.taxonomy, zones } };
    const known = openFixture(dataset);
    const state = { snapshot: known.snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
    const around = 'near=21.24013,-86.73105&radius_km=5&to=2026-11-30';
    const { meta } = askFor(known.snapshot, EventListResponse, `/api/v1/events?${around}`);
    expect(meta.measured_to_zone).toEqual({ count: 2, off_km: 2 });
    const sentence =
      'For 2 we don’t know the exact spot and measured to the middle of their area: the distance can be off by 2 km or more.';
    expect(loadSearch(state, { lang: 'en' }, around).page.narrowing.remarks).toContain(sentence);
    const text = await respondMarkdown(state, '/en/search', around).text();
    expect(text).toContain(sentence);
    expect(text).toContain('1 km away, measured to the middle of its area');
    known.close();
    const beaches = made.venues
      .filter(({ coordinates }) => coordinates === 'venue')
      .map((venue) => ({
        ...venue,
        ...{ id: 've_aaaaaaaaaa', slug: { es: 'playa', en: 'beach' }, zone: 'isla-mujeres' },
        ...{ lat: 21.2401, lng: -86.7311 },
      }));
    const there = openFixture({ ...dataset, venues: [...made.venues, ...beaches] });
    expect(
      askFor(there.snapshot, EventListResponse, `/api/v1/events?${around}`).meta.measured_to_zone,
    ).toEqual({ count: 2, off_km: 1 });
    there.close();
  });

  test('is silent where no point is asked for', () => {
    expect(askFor(snapshot, EventListResponse, '/api/v1/events').meta).not.toHaveProperty(
      'without_place',
    );
  });
});
