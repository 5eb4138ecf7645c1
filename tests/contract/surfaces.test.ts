// One truth: every event of the real town, by each of its names, says the same as JSON, page,
// Markdown and calendar.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltServer, SITE_URL, startServer } from '../fixtures/built-server.ts';
import { toOffered, toPriceWords, writeTownWithPrices } from '../fixtures/price-surfaces.ts';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { toSourceDays } from '../../src/i18n/confirm.ts';
import {
  EventResponse,
  NoticeListResponse,
  OrganizerResponse,
  VenueResponse,
} from '../../src/serializers/wire/responses.ts';

let server: BuiltServer;
const data_dir = mkdtempSync(join(tmpdir(), 'hoy-surfaces-'));
beforeAll(async () => {
  const content_dir = join(data_dir, 'content');
  writeTownWithPrices(content_dir);
  server = await startServer({ data_dir, content_dir });
});
afterAll(async () => {
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  '#34': '"',
};
const toText = (html: string): string =>
  html
    .replace(/<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&([a-z]+|#\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ');
const toPath = (url: string): string => {
  expect(url.startsWith(`${SITE_URL}/`)).toBe(true);
  return url.slice(SITE_URL.length);
};

const LinkedSchema = v.looseObject({
  name: v.string(),
  startDate: v.string(),
  eventStatus: v.string(),
  url: v.string(),
  offers: v.optional(v.unknown()),
});
const OfferSchema = v.object({ price: v.number() });
const GraphSchema = v.looseObject({ '@graph': v.optional(v.array(v.unknown())) });

/** The Event nodes of a page's JSON-LD. */
function readLinkedEvents(html: string) {
  const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    (match): unknown => JSON.parse(match[1] ?? ''),
  );
  const nodes = scripts.flatMap((data) => v.parse(GraphSchema, data)['@graph'] ?? [data]);
  return nodes.flatMap((node) => {
    const event = v.safeParse(LinkedSchema, node);
    return event.success ? [event.output] : [];
  });
}

async function readCalendar(path: string) {
  const answer = await server.get(path);
  expect(answer.status, path).toBe(200);
  return new ICAL.Component(ICAL.parse(await answer.text()))
    .getAllSubcomponents('vevent')
    .map((item) => {
      const event = new ICAL.Event(item);
      return {
        summary: event.summary,
        location: event.location,
        description: event.description,
        start: event.startDate.toString(),
        status: String(item.getFirstPropertyValue('status')),
        url: String(item.getFirstPropertyValue('url')),
      };
    });
}

/** What readers are told of how old something is; fails where JSON does not say it. */
function toSourceWords(
  thing: { source_published?: string | null; source_checked?: string },
  lang: Lang,
): string {
  const { source_published = null, source_checked = '' } = thing;
  expect(source_checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  return toSourceDays({ source_published, source_checked }, lang);
}

const readDetail = async (name: string, lang: string) => {
  const answer = await server.get(`/api/v1/events/${name}?lang=${lang}`);
  expect(answer.status, name).toBe(200);
  return v.parse(EventResponse, await answer.json()).data;
};

const STATUS_WORDS = {
  es: { cancelled: 'CANCELADO: ', postponed: 'POSPUESTO: ', scheduled: '' },
  en: { cancelled: 'CANCELLED: ', postponed: 'POSTPONED: ', scheduled: '' },
};
const LINKED_STATUS = {
  scheduled: 'https://schema.org/EventScheduled',
  cancelled: 'https://schema.org/EventCancelled',
  postponed: 'https://schema.org/EventPostponed',
};
const CALENDAR_STATUS = { scheduled: 'CONFIRMED', cancelled: 'CANCELLED', postponed: 'TENTATIVE' };

async function compareSurfaces(id: string, lang: 'es' | 'en'): Promise<void> {
  const event = await readDetail(id, lang);
  const [es_slug, en_slug] = [event.url_es, event.url_en].map((url) =>
    url.slice(url.lastIndexOf('/') + 1),
  );
  for (const name of [es_slug, en_slug]) expect(await readDetail(name ?? '', lang)).toEqual(event);

  const path = toPath(event.url);
  const html = await (await server.get(path, { accept: 'text/html' })).text();
  const [page, markdown] = [toText(html), await (await server.get(`${path}.md`)).text()];
  const plain_markdown = markdown.replace(/\\(.)/g, '$1');
  // Beside its label an unknown price is `por confirmar`, not `Precio por confirmar`.
  const price = event.price.text.replace(/^(Precio|Price) /, '');
  for (const said of [
    event.title,
    event.summary,
    price,
    event.venue?.name,
    toSourceWords(event, lang),
    event.recurrence,
    ...toPriceWords(event, lang),
  ].filter((text) => typeof text === 'string')) {
    expect(page, `${path} says it`).toContain(said.replace(/\s+/g, ' '));
    expect(plain_markdown.replace(/&nbsp;/g, ' '), `${path}.md says it`).toContain(said);
  }
  for (const [hreflang, url] of [
    ['es', event.url_es],
    ['en', event.url_en],
    ['x-default', event.url_es],
  ] as const)
    expect(html).toMatch(new RegExp(`<link rel="alternate" hreflang="${hreflang}" href="${url}"`));
  expect(html).toContain(`<link rel="canonical" href="${event.url}"`);
  expect(await (await server.get(path, { accept: 'text/markdown' })).text()).toBe(markdown);

  const linked = readLinkedEvents(html);
  const stated = event.is_past
    ? event.occurrences.slice(-1)
    : event.occurrences.filter((o) => o.end > '2026-11-20T12:00:00-05:00').slice(0, linked.length);
  expect(linked.map((node) => [node.name, node.startDate, node.eventStatus, node.url])).toEqual(
    stated.map((o) => [
      event.title,
      o.all_day ? o.date : o.start,
      LINKED_STATUS[o.status],
      event.url,
    ]),
  );

  const calendar = await readCalendar(`/api/v1/events/${event.id}.ics?lang=${lang}`);
  const start = (o: { all_day: boolean; date: string; start: string }): string =>
    o.all_day ? o.date : o.start.slice(0, 19);
  expect(calendar.map((item) => [item.summary, item.start, item.status, item.url])).toEqual(
    event.occurrences.map((o) => [
      `${STATUS_WORDS[lang][o.status]}${event.title}`,
      start(o),
      CALENDAR_STATUS[o.status],
      event.url,
    ]),
  );
  if (event.venue?.name !== undefined)
    for (const item of calendar) expect(item.location).toContain(event.venue.name);
  for (const said of toPriceWords(event, lang))
    for (const item of calendar) expect(item.description, path).toContain(said);
  for (const { offers = [] } of linked)
    expect(
      v.parse(v.array(OfferSchema), [offers].flat()).map((offer) => offer.price),
      path,
    ).toEqual(toOffered(event));
}

describe('every event of the real town', () => {
  test('says the same on every surface, by id and by both slugs', {
    timeout: 240_000,
  }, async () => {
    const ids = await listAllIds();
    expect(ids.length).toBeGreaterThanOrEqual(40);
    for (const id of ids) for (const lang of ['es', 'en'] as const) await compareSurfaces(id, lang);
  });

  test('costs the same by kind of visitor, as of the same month, to an assistant too', async () => {
    const SAID = {
      es: [
        'Adultos: $1,250.50 MXN',
        'Niñas y niños: $300 MXN (de 4 a 11 años)',
        'marzo de 2026; conf',
      ],
      en: ['Adults: $1,250.50 MXN', 'Children: $300 MXN (ages 4 to 11)', 'as of March 2026; check'],
    };
    for (const lang of LANGS) {
      const event = await readDetail('cena-inventada', lang);
      expect(event.price).toMatchObject({ min: 300, max: 1250.5, certainty: 'last_known' });
      for (const words of SAID[lang]) expect(toPriceWords(event, lang).join('\n')).toContain(words);
      const answer = await (await server.callTool('detalle_evento', { id: event.id, lang })).text();
      for (const words of [...SAID[lang], '"certainty":"last_known"', '"visitor":"senior"'])
        expect(answer).toContain(words);
      const list = await server.callTool('buscar_eventos', { q: 'cena inventada', lang });
      const dated = { es: 'MXN (de marzo de 2026)', en: 'MXN (as of March 2026)' };
      expect(await list.text()).toContain(dated[lang]);
    }
  });

  /** Ids of upcoming and of past events: from now, and from ranges of the last years. */
  async function listAllIds(): Promise<string[]> {
    const ListSchema = v.object({ data: v.array(v.object({ id: v.string() })) });
    const ids = new Set<string>();
    const queries = ['limit=200'];
    for (let year = 2023; year <= 2026; year += 1)
      for (const month of ['01-01', '04-01', '07-01', '10-01'])
        queries.push(
          `limit=200&from=${year}-${month}&to=${year}-${String(Number(month.slice(0, 2)) + 2).padStart(2, '0')}-28`,
        );
    for (const query of queries)
      for (const { id } of v.parse(
        ListSchema,
        await (await server.get(`/api/v1/events?${query}`)).json(),
      ).data)
        ids.add(id);
    return [...ids];
  }

  test('is in the agenda of the day in the same order as in the API', async () => {
    for (const [lang, page] of [
      ['es', '/hoy'],
      ['en', '/en/today'],
    ] as const) {
      const api = v.parse(
        v.object({ data: v.array(v.object({ title: v.string(), url: v.string() })) }),
        await (await server.get(`/api/v1/events?date=today&lang=${lang}&limit=200`)).json(),
      );
      const markdown = await (await server.get(`${page}.md`)).text();
      const listed = api.data.map((event) => event.url);
      const order = (text: string): string[] =>
        [...text.matchAll(/\((https:\/\/agenda\.example\/(?:eventos|en\/events)\/[^)]+)\)/g)].map(
          (match) => match[1] ?? '',
        );
      expect([...new Set(order(markdown))].sort()).toEqual([...listed].sort());
      const html = await (await server.get(page)).text();
      for (const url of listed) expect(html).toContain(`href="${toPath(url)}"`);
    }
  });
});

describe.each([
  ['es', '/avisos'],
  ['en', '/en/notices'],
] as const)('the notices in %s', (lang, path) => {
  test('of today are in JSON, on the page, in its Markdown and in MCP', async () => {
    const { data } = v.parse(
      NoticeListResponse,
      await (await server.get(`/api/v1/notices?lang=${lang}`)).json(),
    );
    expect(data.length).toBeGreaterThan(0);
    const page = toText(await (await server.get(path)).text());
    const markdown = await (await server.get(`${path}.md`)).text();
    const tool = await (await server.callTool('avisos_hoy', { lang })).text();
    for (const { title, body, ...days } of data) {
      const source = toSourceWords(days, lang);
      for (const said of [title, body, source]) expect(page).toContain(said);
      for (const said of [title, source]) expect(markdown).toContain(said);
      for (const said of [title, body, days.source_checked ?? '']) expect(tool).toContain(said);
    }
    // Seasons are one line in its text (contract 5.11); each of the others says how old it is.
    for (const notice of data.filter(({ season }) => !season))
      expect(tool).toContain(toSourceWords(notice, lang));
  });
});

const PlacesSchema = v.object({
  openingHoursSpecification: v.optional(
    v.array(v.object({ dayOfWeek: v.array(v.string()), opens: v.string(), closes: v.string() })),
  ),
});
const SitemapSchema = v.array(v.string());

/** The opening hours in a page's JSON-LD, as `Monday 09:00 18:00`. */
function readLinkedHours(html: string): readonly string[] {
  const [, text = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  return (v.parse(PlacesSchema, JSON.parse(text)).openingHoursSpecification ?? []).map(
    ({ dayOfWeek, opens, closes }) =>
      `${dayOfWeek.map((day) => day.replace('https://schema.org/', '').slice(0, 2).toLowerCase()).join()} ${opens} ${closes}`,
  );
}

/** An hour of JSON as readers see it. */
function toHourWords(timestamp: string, lang: Lang): string {
  const [hour = 0, minute = 0] = timestamp.slice(11, 16).split(':').map(Number);
  const minutes = String(minute).padStart(2, '0');
  if (lang === 'es') return `${hour}:${minutes}`;
  return `${hour % 12 || 12}${minute === 0 ? '' : `:${minutes}`} ${hour < 12 ? 'a.m.' : 'p.m.'}`;
}

const TODAY = {
  es: { open: 'Abierto hoy', closed: 'Hoy cerrado' },
  en: { open: 'Open today', closed: 'Closed today' },
} as const;

describe('every place of the real town', () => {
  async function listSlugs(): Promise<readonly string[]> {
    const map = await (await server.get('/sitemap.xml')).text();
    return v.parse(SitemapSchema, [
      ...new Set(
        [...map.matchAll(/<loc>[^<]*\/lugares\/([^<]+)<\/loc>/g)].map((found) => found[1]),
      ),
    ]);
  }
  const readVenue = async (slug: string, lang: Lang) =>
    v.parse(VenueResponse, await (await server.get(`/api/v1/venues/${slug}?lang=${lang}`)).json())
      .data;

  test('says the same hours and prices as JSON, page, JSON-LD and Markdown', {
    timeout: 120_000,
  }, async () => {
    const slugs = await listSlugs();
    expect(slugs.length).toBeGreaterThan(60);
    let with_hours = 0;
    for (const slug of slugs)
      for (const lang of LANGS) {
        const venue = await readVenue(slug, lang);
        const path = toPath(venue.url);
        const html = await (await server.get(path, { accept: 'text/html' })).text();
        const markdown = (await (await server.get(`${path}.md`)).text()).replace(/\\(.)/g, '$1');
        const { today, hours, admission = [] } = venue;
        for (const surface of [toText(html), markdown]) {
          expect(surface.includes(TODAY[lang].open), path).toBe(today?.open === true);
          expect(surface.includes(TODAY[lang].closed), path).toBe(today?.open === false);
          const said = [
            toSourceWords(venue, lang),
            ...(today?.spans ?? []).flatMap(({ opens, closes, last_entry }) =>
              [opens, closes, last_entry].flatMap((moment) =>
                moment === null ? [] : [toHourWords(moment, lang)],
              ),
            ),
            ...(hours?.note ? [hours.note] : []),
            ...admission.filter(({ amount }) => amount > 0).map(({ amount }) => `$${amount} MXN`),
          ];
          for (const words of said) expect(surface, path).toContain(words);
        }
        expect(readLinkedHours(html)).toEqual(
          (hours?.rules ?? [])
            .filter(({ open, close }) => open !== null && close !== null)
            .map(({ days, open, close }) => `${days.join()} ${open} ${close}`),
        );
        if (today) with_hours += 1;
      }
    expect(with_hours).toBeGreaterThanOrEqual(2 * 10);
  });

  test('that is open by itself is listed on the day, apart from what takes place', async () => {
    for (const [lang, path] of [
      ['es', '/hoy'],
      ['en', '/en/today'],
    ] as const) {
      const [html, markdown] = [
        await (await server.get(path, { accept: 'text/html' })).text(),
        await (await server.get(`${path}.md`)).text(),
      ];
      const [, section = ''] = markdown.split(`## ${TODAY[lang].open}`);
      const listed = section.split('\n## ')[0] ?? '';
      for (const slug of await listSlugs()) {
        const venue = await readVenue(slug, lang);
        const is_listed = venue.open_place === true && venue.today?.open === true;
        expect(listed.includes(`](${venue.url})`), slug).toBe(is_listed);
        if (is_listed) expect(html).toContain(`href="${toPath(venue.url)}"`);
      }
    }
  });
});

test('every organizer of the real town says how old it is as JSON, page and Markdown', async () => {
  const map = await (await server.get('/sitemap.xml')).text();
  const slugs = new Set(
    [...map.matchAll(/<loc>[^<]*\/organizadores\/([^<]+)<\/loc>/g)].map((found) => found[1]),
  );
  expect(slugs.size).toBeGreaterThan(20);
  for (const slug of slugs)
    for (const lang of LANGS) {
      const { data } = v.parse(
        OrganizerResponse,
        await (await server.get(`/api/v1/organizers/${slug}?lang=${lang}`)).json(),
      );
      const path = toPath(data.url);
      for (const surface of [path, `${path}.md`])
        expect(
          toText(await (await server.get(surface, { accept: 'text/html' })).text()),
          surface,
        ).toContain(toSourceWords(data, lang));
    }
});
