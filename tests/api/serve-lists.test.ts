// List operations: filters, order, pagination, spelling corrections, distances (contract 7.15, 7.16, 8.8, 8.27).
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { TOWN } from '../../src/town.ts';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import {
  CategoryListResponse,
  EventListResponse,
  NoticeListResponse,
  OrganizerListResponse,
  OrganizerResponse,
  VenueListResponse,
  VenueResponse,
  ZoneListResponse,
} from '../fixtures/responses.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { loadDirectoryPage } from '../../src/site/directory-page.ts';
import { loadSearchPage } from '../../src/site/search-page.ts';
import { requestApi, getFromApi } from '../fixtures/ask.ts';
import {
  localMs,
  FRIDAY_NOON_MS,
  openTestSnapshot,
  loadFixture,
  useFixture,
} from '../fixtures/fixture.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { SITE } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const { snapshot } = useFixture();
const town = useFixture(loadGeneratedTown(300));
const venues = (query = '') => getFromApi(snapshot, VenueListResponse, `/api/v1/venues${query}`);
const slugs = (query: string) => venues(query).data.map(({ slug }) => slug);

describe('venues', () => {
  test('are all listed by name', () => {
    const { data, meta } = venues('?lang=en');
    expect(data.map(({ name }) => name)).toEqual(['Foro sin Punto', 'Malecón Inventado']);
    expect(meta).toMatchObject({ count: 2, total: 2, lang: 'en' });
  });
  test.each([
    ['?q=malecon', ['malecon-inventado']],
    ['?q=maelcon', ['malecon-inventado']],
    ['?zone=isla-mujeres', ['foro-sin-punto']],
    ['?near=21.1266,-86.8161&radius_km=1', ['malecon-inventado']],
    // One is open from Saturday to Tuesday; the other is closed on Mondays.
    ['?open_on=today', ['malecon-inventado']],
    ['?open_on=2026-11-23', ['foro-sin-punto']],
    ['?category=party,tech', ['foro-sin-punto']],
    // Free for children.
    ['?free=1', ['malecon-inventado']],
    ['?free=0&category=markets&open_on=tomorrow', ['malecon-inventado']],
  ])('that match %s are %j', (query, expected) => {
    expect(slugs(query)).toEqual(expected);
  });
  test('have spelling corrections, distances, and the number measured to their zone', () => {
    const { spellings } = venues('?q=maelcon').meta;
    expect(spellings).toEqual([{ word: 'maelcon', read_as: ['malecon'] }]);
    const { data, meta } = venues('?near=21.1356,-86.8161');
    expect(data[0]?.distance_km).toBe(1);
    expect(meta).toMatchObject({ total: 1, without_place: 0 });
    expect(meta).not.toHaveProperty('measured_to_zone');
    const on_isla = venues('?near=21.23114,-86.73105&radius_km=1');
    expect(on_isla.data[0]).toMatchObject({ distance_km: 0, coordinates: 'zone' });
    expect(on_isla.meta.measured_to_zone).toEqual({ count: 1, off_km: null });
    expect(venues().meta).not.toHaveProperty('without_place');
  });
  test('that open on a day have its hours; those closed or of unknown hours are not forgotten', async () => {
    const query = 'q=inventad&open_on=2026-12-25&lang=en';
    const christmas = 'open_on=2026-12-25&lang=en';
    const [foro, malecon] = [...snapshot.venues.values()].map((venue) => ({
      ...venue,
      hours: venue.name === 'Foro sin Punto' ? null : venue.hours,
    }));
    const venues_by_id = new Map(
      [foro, malecon].flatMap((venue) => (venue ? [[venue.id, venue] as const] : [])),
    );
    const changed = { ...snapshot, venues: venues_by_id };
    const all = getFromApi(changed, VenueListResponse, `/api/v1/venues?${christmas}`);
    expect(all).toMatchObject({ data: [], meta: { total: 0, hours_unknown: 1 } });
    expect(all.meta).not.toHaveProperty('closed');
    const named = getFromApi(changed, VenueListResponse, `/api/v1/venues?${query}`);
    expect(named.meta).toMatchObject({
      hours_unknown: 0,
      closed: [{ name: 'Malecón Inventado', opens_on: '2026-12-26' }],
    });
    const unknown =
      'We don’t know the hours of 1 other place on Friday, December 25; it may be open.';
    const closed =
      'Closed on Friday, December 25: Malecón Inventado (Christmas Day; opens on Saturday, December 26).';
    const context = { snapshot: changed, site: SITE, now_ms: FRIDAY_NOON_MS };
    for (const [params, sentence] of [
      [christmas, unknown],
      [query, closed],
    ] as const) {
      const page_query = params.replace('&lang=en', '');
      const { remarks } = loadDirectoryPage(
        context,
        { section: 'venue', lang: 'en' },
        page_query,
      ).page;
      expect(remarks).toEqual([sentence]);
      expect(await createMarkdownResponse(context, '/en/venues', page_query).text()).toContain(
        sentence,
      );
      const args = Object.fromEntries(new URLSearchParams(params));
      const { structuredContent, content } = await call('lugares', args, contextOf(changed));
      expect(structuredContent.hints).toContain(sentence);
      expect(content[0].text).toContain(sentence);
      const { meta } = getFromApi(changed, VenueListResponse, `/api/v1/venues?${params}`);
      const { total, hours_unknown } = structuredContent.meta;
      expect([total, hours_unknown]).toEqual([meta.total, meta.hours_unknown]);
    }
  });

  test('have the hours of the requested day on every surface, with the holiday warning', async () => {
    const saturday = 'open_on=2026-12-26&q=foro';
    const { data } = venues('?open_on=2026-12-24&lang=en');
    expect(data[0]?.today).toMatchObject({ date: '2026-12-24', note: 'Half day' });
    const context = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
    const readPage = (params: string) =>
      loadDirectoryPage(context, { section: 'venue', lang: 'en' }, params).page;
    expect(readPage('open_on=2026-12-24').entries[0]?.about).toContain(
      'Thursday, December 24: from 9 a.m. to 1 p.m. (Half day)',
    );
    expect(readPage(saturday).entries[0]?.about).toContain('Saturday, December 26: ');
    const good_friday = 'open_on=2027-03-26';
    const [on_holiday] = readPage(good_friday).entries;
    expect(on_holiday?.about).toContain('Friday, March 26, 2027: holiday hours not confirmed');
    const markdown = await createMarkdownResponse(context, '/en/venues', good_friday).text();
    expect(markdown).toContain('Friday, March 26, 2027: holiday hours not confirmed');
    expect(readPage(good_friday).remarks[0]).toMatch(/^If no hours are given/);
  });
  test.each([
    [
      '?open_on=weekend',
      /^open_on: 'weekend' is invalid\. Use today \(hoy\), tomorrow \(mañana\), a weekday \(sábado\) or a day/,
    ],
    ['?radius_km=51&limit=201&cursor=zzz', /^radius_km: .*; limit: .*; cursor: /],
  ])('%s is 400 with the accepted values', (query, message) => {
    const { status, body } = requestApi(snapshot, `/api/v1/venues${query}`);
    expect(status).toBe(400);
    expect(v.parse(ErrorSchema, JSON.parse(String(body))).error.message).toMatch(message);
  });
});

test.each([
  ['/api/v1/venues?q=prueba&limit=7&lang=en', VenueListResponse],
  ['/api/v1/venues?near=21.15,-86.85&radius_km=50&limit=5', VenueListResponse],
  ['/api/v1/events?category=food,M%C3%9ASICA-EN-VIVO&limit=13&lang=en&q=', EventListResponse],
] as const)('the pages of %s contain each record once, in order', (first, schema) => {
  const ids: string[] = [];
  let url: string | undefined = first;
  let total = 0;
  for (let page = 0; url !== undefined && page < 100; page++) {
    const { data, meta } = getFromApi(town.snapshot, schema, url);
    ids.push(...data.map(({ id }) => id));
    total = meta.total ?? 0;
    const link: string = requestApi(town.snapshot, url).headers.link ?? '';
    url = /^<https:\/\/agenda\.example([^>]+)>; rel="next"$/.exec(link)?.[1];
  }
  const all = getFromApi(town.snapshot, schema, first.replace(/limit=\d+/, 'limit=200')).data;
  expect(ids).toEqual(all.map(({ id }) => id));
  expect(new Set(ids).size).toBe(total);
  expect(total).toBeGreaterThan(5);
  // Lists around a point are ordered by distance.
  const distances = all.flatMap((record) =>
    'distance_km' in record ? (record.distance_km ?? []) : [],
  );
  expect(distances).toEqual(distances.toSorted((a, b) => a - b));
});

test.each([
  ['venues', VenueListResponse, VenueResponse],
  ['organizers', OrganizerListResponse, OrganizerResponse],
] as const)(
  'each of the %s has the same fields as its own resource, except events',
  (path, list_schema, schema) => {
    const { data } = getFromApi(snapshot, list_schema, `/api/v1/${path}?lang=en`);
    expect(data.length).toBeGreaterThan(0);
    for (const { upcoming_count, ...listed } of data) {
      const address = `/api/v1/${path}/${listed.slug}?lang=en`;
      const { upcoming_events, ...record } = getFromApi<typeof schema>(
        snapshot,
        schema,
        address,
      ).data;
      expect(listed).toEqual(record);
      expect(upcoming_count).toBe(upcoming_events.length);
    }
  },
);

test.each([
  ['categories', 'category', CategoryListResponse, TOWN.category_keys],
  ['zones', 'zone', ZoneListResponse, TOWN.zone_keys],
] as const)('%s are all listed, with the number of events of their filter', (...row) => {
  const [list, filter, schema, keys] = row;
  for (const lang of LANGS) {
    const { data, meta } = getFromApi(snapshot, schema, `/api/v1/${list}?lang=${lang}`);
    expect(data.map(({ key }) => key).sort()).toEqual([...keys].sort());
    expect(meta).toMatchObject({ count: keys.length, total: keys.length });
    for (const { key, slug, url, upcoming_count } of data) {
      const address = `/api/v1/events?${filter}=${slug}&limit=1`;
      const { total } = getFromApi(snapshot, EventListResponse, address).meta;
      expect([key, total]).toEqual([key, upcoming_count]);
      expect(url.startsWith(`${SITE.url}/`)).toBe(true);
    }
  }
});

describe('notices', () => {
  const titles = (query: string, now = '2026-11-20T12:00:00') => {
    const address = `/api/v1/notices${query}`;
    const { data, meta } = getFromApi(snapshot, NoticeListResponse, address, {
      now_ms: localMs(now),
    });
    expect(meta.count).toBe(data.length);
    return [meta.date, ...data.map((notice) => notice.title)];
  };

  test('each have an address of their own, to which changes lead in their language', () => {
    const { data } = getFromApi(snapshot, NoticeListResponse, '/api/v1/notices?lang=en');
    const path = `/api/v1/notices/${data[0]?.id}?lang=en`;
    expect(JSON.parse(String(requestApi(snapshot, path).body)).data).toEqual(data[0]);
    const changes = requestApi(snapshot, '/api/v1/changes?kind=notice&lang=en&since=2026-01-01');
    expect(changes.body).toContain(`"api_url":"${SITE.url}${path}"`);
    const missing = requestApi(snapshot, '/api/v1/notices/no_none');
    expect([missing.status, missing.body]).toEqual([404, expect.stringContaining('no notice')]);
  });
  test('of today, tomorrow or any day are ordered by severity', () => {
    expect(titles('')).toEqual(['2026-11-20', 'Oleaje alto', 'Calle cerrada']);
    const tomorrow = ['2026-11-21', 'Alerta de prueba', 'Oleaje alto', 'Calle cerrada'];
    expect(titles('?date=tomorrow')).toEqual(tomorrow);
    expect(titles('?date=2026-11-21')).toEqual(tomorrow);
    const rejected = requestApi(snapshot, '/api/v1/notices?type=sun&zone=atlantis&date=weekend');
    expect(rejected.status).toBe(400);
    for (const name of ['type: ', 'zone: ', 'date: ']) expect(rejected.body).toContain(name);
  });

  test.each([
    ['?date=tomorrow&zone=centro', ['Alerta de prueba', 'Calle cerrada']],
    ['?date=tomorrow&type=health&zone=downtown,tajamar', ['Alerta de prueba']],
  ])('that match %s include notices for all zones: %j', (query, expected) => {
    expect(titles(query).slice(1)).toEqual(expected);
  });
});

test('every output of a list around a point has the number measured to their zone and the error', async () => {
  const fixture = loadFixture();
  // Move the center of a zone two kilometers away from a venue.
  const middle = { lat: 21.1446, lng: -86.8161 };
  const zones = fixture.taxonomy.zones.map((zone) =>
    zone.key === 'tajamar' ? { ...zone, middle } : zone,
  );
  const known = openTestSnapshot({ ...fixture, taxonomy: { ...fixture.taxonomy, zones } });
  const state = { snapshot: known, site: SITE, now_ms: FRIDAY_NOON_MS };
  const around = 'near=21.24013,-86.73105&radius_km=5&to=2026-11-30';
  const { meta } = getFromApi(known, EventListResponse, `/api/v1/events?${around}`);
  expect(meta.measured_to_zone).toEqual({ count: 2, off_km: 2 });
  const { remarks } = loadSearchPage(state, { lang: 'en' }, around).page.filter_panel;
  for (const text of [`Leaves out ${meta.without_place} `, 'off by 2 km'])
    expect(remarks.join()).toContain(text);
  const text = await createMarkdownResponse(state, '/en/search', around).text();
  for (const remark of remarks) expect(text).toContain(remark);
});
