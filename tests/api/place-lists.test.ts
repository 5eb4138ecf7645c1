// Lists of venues, organizers, categories and zones (contract 8.27): their filters, order and pages.
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../../src/domain/taxon.ts';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import {
  CategoryListResponse,
  EventListResponse,
  OrganizerListResponse,
  OrganizerResponse,
  VenueListResponse,
  VenueResponse,
  ZoneListResponse,
} from '../../src/serializers/wire/responses.ts';
import { ask, askFor } from '../fixtures/ask.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
const town = openMadeUpTown(300);
afterAll(() => {
  close();
  town.close();
});
const venues = (query = '') => askFor(snapshot, VenueListResponse, `/api/v1/venues${query}`);
const slugs = (query: string) => venues(query).data.map(({ slug }) => slug);

describe('venues', () => {
  test('are all there by name, each as by itself but for its events', () => {
    const { data, meta } = venues('?lang=en');
    expect(data.map(({ name }) => name)).toEqual(['Foro sin Punto', 'Malecón Inventado']);
    expect(meta).toMatchObject({ count: 2, total: 2, lang: 'en' });
    for (const { upcoming_count, ...listed } of data) {
      const { upcoming_events, ...own } = askFor(
        snapshot,
        VenueResponse,
        `/api/v1/venues/${listed.slug}?lang=en`,
      ).data;
      expect(listed).toEqual(own);
      expect(upcoming_count).toBe(upcoming_events.length);
    }
  });
  test.each([
    ['?q=malecon', ['malecon-inventado']],
    ['?q=MALEC%C3%93N+invent', ['malecon-inventado']],
    ['?q=maelcon', ['malecon-inventado']],
    ['?q=zzzz', []],
    ['?zone=tajamar', ['malecon-inventado']],
    ['?zone=isla-mujeres', ['foro-sin-punto']],
    ['?near=21.1266,-86.8161&radius_km=1', ['malecon-inventado']],
    ['?near=20,-88', []],
    // It opens from Saturday to Tuesday; the other not on Mondays, and children alone enter free.
    ['?open_on=today', ['malecon-inventado']],
    ['?open_on=2026-11-21', ['foro-sin-punto', 'malecon-inventado']],
    ['?open_on=2026-11-23', ['foro-sin-punto']],
    ['?category=musica-en-vivo', ['malecon-inventado']],
    ['?category=party,tech', ['foro-sin-punto']],
    ['?free=1', []],
    ['?free=0&category=markets&open_on=tomorrow', ['malecon-inventado']],
  ])('of %s are %j', (query, expected) => {
    expect(slugs(query)).toEqual(expected);
  });
  test('say how a word was read, how far each is, and how many are measured to their zone', () => {
    expect(venues('?q=maelcon').meta.spellings).toEqual([
      { word: 'maelcon', read_as: ['malecon'] },
    ]);
    const { data, meta } = venues('?near=21.1356,-86.8161');
    expect(data[0]?.distance_km).toBe(1);
    expect(meta).toMatchObject({ total: 1, without_place: 0 });
    expect(meta).not.toHaveProperty('measured_to_zone');
    const on_isla = venues('?near=21.23114,-86.73105&radius_km=1');
    expect(on_isla.data[0]).toMatchObject({ distance_km: 0, coordinates: 'zone' });
    expect(on_isla.meta.measured_to_zone).toEqual({ count: 1, off_km: null });
    expect(venues().meta).not.toHaveProperty('without_place');
  });
  test.each([
    ['?zone=atlantis', /^zone: /],
    ['?category=x', /^category: /],
    ['?open_on=weekend', /^open_on: 'weekend' is not accepted\. Use today, tomorrow or a day/],
    ['?radius_km=51', /^radius_km: /],
    ['?near=here', /^near: /],
    ['?limit=201', /^limit: /],
    ['?cursor=zzz', /^cursor: /],
    ['?lang=fr', /^lang: /],
    ['?page=2', /^page: .*cursor/],
    ['?zona=x', "zona: is not a parameter. Use 'zone'"],
  ])('%s is 400 that says what is accepted', (query, message) => {
    const { status, body } = ask(snapshot, `/api/v1/venues${query}`);
    expect(status).toBe(400);
    expect(v.parse(ErrorSchema, JSON.parse(String(body))).error.message).toMatch(message);
  });
});

describe.each([
  ['/api/v1/venues?q=prueba&limit=7&lang=en', VenueListResponse],
  ['/api/v1/venues?near=21.15,-86.85&radius_km=50&limit=5', VenueListResponse],
  ['/api/v1/organizers?limit=4', OrganizerListResponse],
] as const)('the pages of %s', (first, schema) => {
  test('are together the whole, in order, nothing twice', () => {
    const ids: string[] = [];
    let address: string | null = first;
    let total = 0;
    for (let page = 0; address !== null && page < 100; page++) {
      const { data, meta } = askFor(town.snapshot, schema, address);
      ids.push(...data.map(({ id }) => id));
      total = meta.total;
      address =
        /^<https:\/\/agenda\.example([^>]+)>; rel="next"$/.exec(
          ask(town.snapshot, address).headers.link ?? '',
        )?.[1] ?? null;
    }
    const all = askFor(town.snapshot, schema, first.replace(/limit=\d+/, 'limit=200')).data;
    expect(ids).toEqual(all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(total);
    expect(total).toBeGreaterThan(5);
  });
});

describe('venues around a point', () => {
  test('come nearest first', () => {
    const { data } = askFor(
      town.snapshot,
      VenueListResponse,
      '/api/v1/venues?near=21.15,-86.85&radius_km=50&limit=200',
    );
    const away = data.map(({ distance_km }) => distance_km ?? -1);
    expect(away).toEqual(away.toSorted((a, b) => a - b));
  });
});

describe('organizers', () => {
  test('are all there, each as by itself but for its events', () => {
    const { data } = askFor(snapshot, OrganizerListResponse, '/api/v1/organizers');
    for (const { upcoming_count, ...listed } of data) {
      const { upcoming_events, ...own } = askFor(
        snapshot,
        OrganizerResponse,
        `/api/v1/organizers/${listed.slug}`,
      ).data;
      expect(listed).toEqual(own);
      expect(upcoming_count).toBe(upcoming_events.length);
    }
  });
});

describe.each([
  ['categories', 'category', CategoryListResponse, CATEGORY_KEYS],
  ['zones', 'zone', ZoneListResponse, ZONE_KEYS],
] as const)('%s', (list, filter, schema, keys) => {
  test.each(LANGS)('are all there in %s, with as many events as their filter gives', (lang) => {
    const { data, meta } = askFor(snapshot, schema, `/api/v1/${list}?lang=${lang}`);
    expect(data.map(({ key }) => key).sort()).toEqual([...keys].sort());
    expect(meta).toMatchObject({ count: keys.length, total: keys.length });
    for (const { key, slug, url, upcoming_count } of data) {
      const { meta: found } = askFor(
        snapshot,
        EventListResponse,
        `/api/v1/events?${filter}=${slug}&limit=1`,
      );
      expect([key, found.total]).toEqual([key, upcoming_count]);
      expect(url.startsWith(`${SITE.url}/`)).toBe(true);
    }
  });
});
