// Surfaces of the real town: JSON, page, Markdown, calendar and MCP tool state the same facts.
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minCount } from '../fixtures/least.ts';
import { type BuiltServer, SITE_URL, startServer } from '../fixtures/built-server.ts';
import { compareSurfaces } from '../fixtures/event-surfaces.ts';
import { readSurfaces, urlPath, sourceText } from '../fixtures/page-text.ts';
import { loadConfig } from '../../src/config.ts';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { NoticeListResponse, OrganizerResponse, VenueResponse } from '../fixtures/responses.ts';
import { useFolder } from '../fixtures/folder.ts';

let server: BuiltServer;
let sitemap: string;
const data_dir = useFolder();
const CONTENT_DIR = loadConfig().content_dir;
const countFiles = (kind: string): number =>
  readdirSync(join(CONTENT_DIR, kind)).filter((file) => file.endsWith('.yml')).length;
/** Event with an old price for each kind of visitor. */
const DINNER = `title: { es: Cena inventada, en: A made-up dinner }
summary: { es: Una cena que no existe., en: A dinner that does not exist. }
category: food
when: [{ rrule: FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=4, since: 2026-12-04, start: "20:00" }]
price:
  visitors:
    - { visitor: adult, amount: 1250.5 }
    - { visitor: child, amount: 300, note: { es: de 4 a 11 años, en: ages 4 to 11 } }
    - { visitor: senior, amount: 0 }
sources: [{ name: Inventado, published: 2026-03-14, checked: 2026-11-20 }]
confidence: medium
`;
beforeAll(async () => {
  const content_dir = join(data_dir, 'content');
  cpSync(CONTENT_DIR, content_dir, { recursive: true });
  writeFileSync(join(content_dir, 'events', 'cena-inventada.yml'), DINNER);
  server = await startServer({ data_dir, content_dir });
  sitemap = await (await server.get('/sitemap.xml')).text();
});
afterAll(() => server.stop());

const listSlugs = (section: string) =>
  [...sitemap.matchAll(new RegExp(`<loc>[^<]*/${section}/([^<]+)</loc>`, 'g'))].map(
    ([, slug = '']) => slug,
  );

const fetchJson = async <S extends v.GenericSchema>(schema: S, path: string, lang: Lang) =>
  v.parse(schema, await (await server.get(`/api/v1/${path}?lang=${lang}`)).json());

test('every event is equal on all surfaces in both languages', { timeout: 240_000 }, async () => {
  const IdsSchema = v.object({ data: v.array(v.object({ id: v.string() })) });
  const past = ['2025-10-01&to=2025-12-28', '2026-09-01&to=2026-11-19'];
  const ids = new Set<string>();
  for (const range of ['', ...past.map((days) => `&from=${days}`)]) {
    const answer = await server.get(`/api/v1/events?limit=200${range}`);
    for (const { id } of v.parse(IdsSchema, await answer.json()).data) ids.add(id);
  }
  expect(ids.size).toBeGreaterThanOrEqual(countFiles('events') / 2.2);
  for (const id of ids) await Promise.all(LANGS.map((lang) => compareSurfaces(server, id, lang)));
});

test.each(LANGS)('the notices of today are in %s on every surface', async (lang) => {
  const path = lang === 'es' ? '/avisos' : '/en/notices';
  const { data } = await fetchJson(NoticeListResponse, 'notices', lang);
  expect(data.length > 0).toBe(countFiles('notices') > 0);
  const { texts } = await readSurfaces(server, path);
  const tool = await (await server.callTool('avisos_hoy', { lang })).text();
  for (const { title, body, season, ...days } of data) {
    const source = sourceText(days, lang);
    for (const text of texts) for (const words of [title, source]) expect(text).toContain(words);
    expect(texts[0]).toContain(body);
    for (const words of [title, body, days.source_checked ?? '']) expect(tool).toContain(words);
    // The tool lists seasons in one line (contract 5.10), and other notices with their age.
    if (!season) expect(tool).toContain(source);
  }
});

const SPAN_FIELDS = { opens: v.string(), closes: v.string() };
const HoursSchema = v.object({ dayOfWeek: v.array(v.string()), ...SPAN_FIELDS });
const PlaceSchema = v.object({ openingHoursSpecification: v.optional(v.array(HoursSchema), []) });

function readLinkedHours(html: string): readonly string[] {
  const [, text = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const { openingHoursSpecification: hours } = v.parse(PlaceSchema, JSON.parse(text));
  const shortDay = (day: string): string => day.replace('https://schema.org/', '').slice(0, 2);
  return hours.map(
    ({ dayOfWeek, opens, closes }) =>
      `${dayOfWeek.map(shortDay).join().toLowerCase()} ${opens} ${closes}`,
  );
}

function formatHour(timestamp: string, lang: Lang): string {
  const [hour = 0, minute = 0] = timestamp.slice(11, 16).split(':').map(Number);
  const minutes = String(minute).padStart(2, '0');
  if (lang === 'es') return `${hour}:${minutes}`;
  return `${hour % 12 || 12}${minute === 0 ? '' : `:${minutes}`} ${hour < 12 ? 'a.m.' : 'p.m.'}`;
}

const TODAY = {
  es: { open: 'Abierto hoy', closed: /Hoy cerrado|Abre los [^,]+, sin horario/ },
  en: { open: 'Open today', closed: /Closed today|Open \w+; hours not/ },
} as const;

describe.each(LANGS)('every venue and organizer of the real town in %s', (lang) => {
  const words = TODAY[lang];

  test('venues have the same hours and prices on all surfaces, and open places are listed on the day page', {
    timeout: 120_000,
  }, async () => {
    const today = lang === 'es' ? '/hoy' : '/en/today';
    const page = await (await server.get(today, { accept: 'text/html' })).text();
    const document = await (await server.get(`${today}.md`)).text();
    const listed = document.split(`## ${words.open}`)[1]?.split('\n## ')[0] ?? '';
    const slugs = listSlugs('lugares');
    expect(slugs.length).toBeGreaterThanOrEqual(countFiles('venues') * 0.9);
    let with_hours = 0;
    for (const slug of slugs) {
      const { data } = await fetchJson(VenueResponse, `venues/${slug}`, lang);
      const path = urlPath(data.url);
      const { html, texts } = await readSurfaces(server, path);
      const { today: day, hours, admission = [] } = data;
      const moments = day?.spans.flatMap((one) => [one.opens, one.closes, one.last_entry]) ?? [];
      const expected_texts = [
        sourceText(data, lang),
        ...moments.flatMap((moment) => (moment === null ? [] : [formatHour(moment, lang)])),
        ...(hours?.note ? [hours.note] : []),
        ...admission.filter(({ amount }) => amount > 0).map(({ amount }) => `$${amount} MXN`),
      ];
      for (const text of texts) {
        expect(text.includes(words.open), path).toBe(day?.open === true);
        expect(words.closed.test(text), path).toBe(day?.open === false);
        for (const one of expected_texts) expect(text, path).toContain(one);
      }
      expect(readLinkedHours(html)).toEqual(
        (hours?.rules ?? [])
          .filter(({ open, close }) => open !== null && close !== null)
          .map(({ days, open, close }) => `${days.join()} ${open} ${close}`),
      );
      const is_listed = data.open_place === true && day?.open === true;
      expect(listed.includes(`](${data.url})`), slug).toBe(is_listed);
      if (is_listed) expect(page).toContain(`href="${path}"`);
      if (day) with_hours += 1;
    }
    expect(with_hours).toBeGreaterThanOrEqual(minCount(10, 6));
  });

  test('organizers state the age of their source', async () => {
    const slugs = listSlugs('organizadores');
    expect(slugs.length).toBeGreaterThanOrEqual(countFiles('organizers') * 0.9);
    for (const slug of slugs) {
      const { data } = await fetchJson(OrganizerResponse, `organizers/${slug}`, lang);
      const { texts } = await readSurfaces(server, urlPath(data.url));
      for (const text of texts) expect(text, slug).toContain(sourceText(data, lang));
    }
  });
});

/** Splits a page into sections with the paths of their events. */
function readSections(text: string, heading: RegExp, link: RegExp) {
  const [, ...parts] = text.split(heading);
  return Array.from({ length: parts.length / 2 }, (_, at) => ({
    title: (parts[at * 2] ?? '').trim(),
    paths: [...(parts[at * 2 + 1] ?? '').matchAll(link)].map((match) => decodeURI(match[1] ?? '')),
  })).filter(({ paths }) => paths.length > 0);
}

test.each([
  ['/hoy', 'eventos'],
  ['/en/today', 'en/events'],
  ['/manana', 'eventos'],
])('%s has the same sections and events on page and in Markdown', async (path, section) => {
  const page = readSections(
    await (await server.get(path, { accept: 'text/html' })).text(),
    /<h2 id="[a-z_-]+"[^>]*>([^<]*)/,
    new RegExp(`<h3[^>]*><a href="(/${section}/[^"]+)"`, 'g'),
  );
  expect(page.length).toBeGreaterThan(minCount(1, 0));
  const document = readSections(
    await (await server.get(`${path}.md`)).text(),
    /^## ([^\n(]*)[^\n]*$/m,
    new RegExp(`^(?:###|-) \\[[^\\]]*\\]\\(${SITE_URL}(/${section}/[^)]+)\\)`, 'gm'),
  );
  expect(document).toEqual(page);
});
