// Another town (examples/merida): responses have its name, zones, time and currency, without any of the
// default town.
import { expect, test } from 'vitest';
import { TOWN } from '../../src/town.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease();
const read = async (path: string): Promise<string> => (await server.get(path)).text();
const FIRST_TOWN =
  /canc[uú]n|quintana|mujeres|morelos|-05:00|hotel.zone|zona hotelera|caribe|caribbean/i;
/** Returns the text around a word of the default town. */
const findWords = (path: string, text: string): readonly string[] => {
  const at = text.search(FIRST_TOWN);
  return at < 0 ? [] : [`${path}: ${text.slice(Math.max(0, at - 60), at + 60)}`];
};

test.each([
  ['/hoy', 'Hoy Mérida'],
  ['/en/today.md', '# Today in Mérida, Friday', 'Mérida time (UTC−6)'],
  ['/zonas/paseo-de-montejo', 'Paseo de Montejo'],
  ['/manifest.webmanifest', '"name":"Hoy Mérida"'],
  ['/llms.txt', 'Hoy Mérida'],
  ['/feeds/novedades.atom', '<title>Hoy Mérida'],
  ['/feeds/new.json', 'Hoy Mérida: what’s new'],
  ['/api/v1/events.ics', '@hoymerida', 'TZID:America/Merida', 'TZOFFSETTO:-0600'],
  ['/api/v1/events?date=week', '-06:00'],
  ['/api/v1/zones', '"key":"santa-lucia-santa-ana"'],
  ['/.well-known/mcp/server-card.json', 'Hoy Mérida'],
])('%s contains %s', async (path, ...expected) => {
  const text = await read(path);
  for (const words of expected) expect(text).toContain(words);
});

test('no response contains a word of the default town', { timeout: 240_000 }, async () => {
  expect(TOWN.key).toBe('hoy-merida');
  const listed = [...(await read('/sitemap.xml')).matchAll(/<loc>([^<]+)</g)];
  const pages = listed.map(([, url = '']) => url.slice(SITE_URL.length));
  const others =
    `/llms.txt /api/openapi.json /manifest.webmanifest /robots.txt /sw.js /feeds/avisos.atom /feeds/new.json
    /api/v1/events.ics /api/v1/events?limit=200&lang=en /api/v1/venues?limit=200 /api/v1/zones /api/v1/days/2026-11-20
    /data/events.csv /nada /publicar /incrustar /.well-known/mcp/server-card.json /.well-known/api-catalog /favicon.svg
    /en/offline`.split(/\s+/);
  const found: string[] = [];
  for (let at = 0; at < pages.length; at += 8)
    for (const path of pages.slice(at, at + 8).flatMap((page) => [page, `${page}.md`]))
      found.push(
        ...findWords(path, await (await server.get(path, { accept: 'text/html' })).text()),
      );
  // Mérida's summer time had that offset until 2022.
  for (const path of others)
    found.push(...findWords(path, (await read(path)).replace('|-05:00)', ')')));
  for (const lang of ['es', 'en'])
    for (const tool of ['eventos_hoy', 'buscar_eventos', 'avisos_hoy', 'lugares'])
      found.push(...findWords(tool, await (await server.callTool(tool, { lang })).text()));
  expect(found).toEqual([]);
});
