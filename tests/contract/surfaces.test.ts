// One truth: every event of the real town, by each of its names, says the same as JSON, page,
// Markdown and calendar.
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltServer, SITE_URL, startServer } from '../fixtures/built-server.ts';
import { compareSurfaces, listAllIds, readDetail } from '../fixtures/event-surfaces.ts';
import { toPath, toSourceWords, toText } from '../fixtures/page-text.ts';
import { toPriceWords, writeTownWithPrices } from '../fixtures/price-surfaces.ts';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { NoticeListResponse, OrganizerResponse, VenueResponse } from '../fixtures/responses.ts';
import { makeFolder } from '../fixtures/folder.ts';

let server: BuiltServer;
const data_dir = makeFolder();
beforeAll(async () => {
  const content_dir = join(data_dir, 'content');
  writeTownWithPrices(content_dir);
  server = await startServer({ data_dir, content_dir });
});
afterAll(() => server.stop());

describe('every event of the real town', () => {
  test('says the same on every surface, by id and by both slugs', {
    timeout: 240_000,
  }, async () => {
    const ids = await listAllIds(server);
    expect(ids.length).toBeGreaterThanOrEqual(40);
    for (const id of ids)
      for (const lang of ['es', 'en'] as const) await compareSurfaces(server, id, lang);
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
      const event = await readDetail(server, 'cena-inventada', lang);
      expect(event.price).toMatchObject({ min: 300, max: 1250.5, certainty: 'last_known' });
      for (const words of SAID[lang]) expect(toPriceWords(event, lang).join('\n')).toContain(words);
      const answer = await (await server.callTool('detalle_evento', { id: event.id, lang })).text();
      for (const words of [...SAID[lang], '"certainty":"last_known"', '"visitor":"senior"'])
        expect(answer).toContain(words);
      const list = await server.callTool('buscar_eventos', { q: 'cena inventada', lang });
      const dated = {
        es: '(precio de marzo de 2026; confírmalo)',
        en: '(price as of March 2026; check it)',
      };
      expect(await list.text()).toContain(dated[lang]);
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
    // Seasons are one line in its text (contract 5.10); each of the others says how old it is.
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

/** The parts of today with the paths of their events: what stands under each heading. */
function readParts(text: string, heading: RegExp, link: RegExp): Map<string, string[]> {
  const [, ...parts] = text.split(heading);
  const pairs = Array.from({ length: parts.length / 2 }, (_, at): [string, string[]] => [
    (parts[at * 2] ?? '').trim(),
    [...(parts[at * 2 + 1] ?? '').matchAll(link)].map((match) => decodeURI(match[1] ?? '')),
  ]);
  return new Map(pairs.filter(([, paths]) => paths.length > 0));
}

test.each([
  ['/hoy', 'eventos'],
  ['/en/today', 'en/events'],
])('%s has the same parts with the same events on page and in Markdown', async (path, section) => {
  const page = readParts(
    await (await server.get(path, { accept: 'text/html' })).text(),
    /<h2 id="[a-z_-]+"[^>]*>([^<]*)/,
    new RegExp(`<h3[^>]*><a href="(/${section}/[^"]+)"`, 'g'),
  );
  expect(page.size).toBeGreaterThan(1);
  const parts = readParts(
    await (await server.get(`${path}.md`)).text(),
    /^## ([^\n(]*)[^\n]*$/m,
    new RegExp(`^(?:###|-) \\[.*?\\]\\(${SITE_URL}(/${section}/[^)]+)\\)`, 'gm'),
  );
  expect([...parts]).toEqual([...page]);
});
