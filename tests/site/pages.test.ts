// What each address of the site answers: the page, the way to it, or why there is none; and its
// Markdown alternate alike.
import { afterAll, describe, expect, test } from 'vitest';
import { toPathLang } from '../../src/i18n/paths.ts';
import { resolvePage, toStatus } from '../../src/site/answer.ts';
import { parsePagePath } from '../../src/site/page-request.ts';
import { listBuiltDays } from '../../src/site/prebuilt.ts';
import { respondMarkdown } from '../../src/site/twin.ts';
import { SITE } from '../fixtures/site.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = (now_ms = FRIDAY_NOON_MS) => ({ snapshot, now_ms, site: SITE });

/** Status with the title or the new path. */
function visit(path: string, now_ms = FRIDAY_NOON_MS): string {
  const result = resolvePage(state(now_ms), parsePagePath(path, now_ms));
  const status = toStatus(result);
  if (result.kind === 'moved') return `${status} ${result.location}`;
  return result.kind === 'failure' ? String(status) : `${status} ${result.page.meta.title}`;
}

describe('an address', () => {
  test.each([
    ['/fecha/2026-11-21', '200 Agenda de Cancún, sábado 21 de noviembre de 2026'],
    ['/en/date/2026-11-21', '200 What’s on in Cancún, Saturday, November 21, 2026'],
    ['/_hoy/2026-11-21', '200 Hoy en Cancún, sábado 21 de noviembre de 2026'],
    ['/_tomorrow/2026-11-21', '200 Tomorrow in Cancún, Saturday, November 21, 2026'],
    [
      '/_fin-de-semana/2026-11-21',
      '200 Este fin de semana en Cancún, del sábado 21 al domingo 22 de noviembre de 2026',
    ],
    [
      '/_fin-de-semana/2026-11-22',
      '200 Este fin de semana en Cancún, domingo 22 de noviembre de 2026',
    ],
    [
      '/_week/2026-12-29',
      '200 The next seven days in Cancún, Tuesday, December 29, 2026 to Monday, January 4, 2027',
    ],
    ['/avisos', '200 Avisos de Cancún, viernes 20 de noviembre de 2026'],
    ['/_notices/2026-11-21', '200 Notices for Cancún, Saturday, November 21, 2026'],
    ['/eventos/feria-diaria', '200 Feria diaria'],
    ['/en/events/everyday-fair', '200 Everyday Fair'],
    ['/eventos/taller-pasado', '200 Taller pasado'],
    ['/lugares/malecon-inventado', '200 Malecón Inventado'],
    ['/categorias/musica-en-vivo', '200 Música en vivo en Cancún'],
    ['/eventos/concierto-viejo', '301 /eventos/concierto-unico-a-b'],
    ['/eventos/everyday-fair', '301 /eventos/feria-diaria'],
    ['/en/events/feria-diaria', '301 /en/events/everyday-fair'],
    ['/en/categories/live-music', '200 Live music in Cancún'],
    ['/categorias/familia', '200 Planes en familia en Cancún'],
    ['/en/categories/family', '200 Family plans in Cancún'],
    ['/zonas/centro', '200 Qué hay en el Centro'],
    ['/en/zones/downtown', '200 What’s on downtown'],
    ['/categorias/live-music', '301 /categorias/musica-en-vivo'],
    ['/eventos/evento-retirado', '410'],
    ['/eventos/nada', '404'],
    ['/fecha/2026-02-30', '404'],
    ['/fecha/2024-01-01', '404'],
    ['/fecha/2031-01-01', '404'],
    ['/_hoy/ayer', '404'],
    ['/eventos', '404'],
    ['/', '404'],
    ['/en/eventos/feria-diaria', '404'],
    ['/eventos/feria-diaria/', '404'],
    ["/eventos/'; drop table events; --", '404'],
  ])('%s answers %s', (path, expected) => {
    expect(visit(path)).toBe(expected);
  });
  test('by id leads to the page', () => {
    const id = snapshot.db.prepare('select id from events where position = 0').pluck().get();
    expect(visit(`/eventos/${id}`)).toMatch(/^301 \/eventos\/[a-z]/);
  });
  test('that the clock decides changes at midnight in Cancún', () => {
    expect(visit('/hoy', at('2026-11-20T23:59:59'))).toContain('viernes 20');
    expect(visit('/hoy', at('2026-11-21T00:00:00'))).toContain('sábado 21');
    expect(visit('/en/weekend', at('2026-11-19T12:00:00'))).toContain(
      'Friday, November 20 to Sunday',
    );
  });
  test('has the language of its path', () => {
    expect(['/', '/hoy', '/en', '/en/x', '/entrada'].map(toPathLang)).toEqual([
      'es',
      'es',
      'en',
      'en',
      'es',
    ]);
  });
});

test('yesterday and 92 days ahead are built', () => {
  const days = listBuiltDays(FRIDAY_NOON_MS);
  expect([days[0], days[1], days.at(-1), days.length]).toEqual([
    '2026-11-19',
    '2026-11-20',
    '2027-02-20',
    94,
  ]);
});

describe('the Markdown twin', () => {
  const fetchMarkdown = (path: string) => respondMarkdown(state(), path);
  test.each([
    ['/hoy', 200],
    ['/en/events/everyday-fair', 200],
    ['/lugares/malecon-inventado', 200],
    ['/eventos/concierto-viejo', 301],
    ['/eventos/evento-retirado', 410],
    ['/eventos/nada', 404],
    ['/categorias/danza', 200],
    ['/categorias/nada', 404],
    ['/lugares', 200],
    ['/calendario', 200],
    ['/publicar', 200],
  ])('of %s has the status %i', (path, status) => {
    expect(fetchMarkdown(path).status).toBe(status);
  });
  test('of an address without an answer says what happened and where to go on, in its language', async () => {
    expect(await respondMarkdown(state(), '/en/nothing').text()).toBe(
      '# Nothing here\n\nThe page you’re looking for doesn’t exist, or the tide took it.\n\n' +
        '- [What’s on today](https://agenda.example/en/today.md)\n- [What’s on this weekend](https://agenda.example/en/weekend.md)\n',
    );
    expect(await fetchMarkdown('/eventos/evento-retirado').text()).toMatch(
      /^# Página retirada\n[\s\S]*\(https:\/\/agenda\.example\/hoy\.md\)/,
    );
    expect(await fetchMarkdown('/en/events/nothing').text()).toMatch(/^# Nothing here\n/);
  });
  test('says its type, and leads on to a twin', async () => {
    expect(fetchMarkdown('/hoy').headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await fetchMarkdown('/hoy').text()).toMatch(
      /^# Hoy en Cancún, viernes 20 de noviembre de 2026\n/,
    );
    expect(fetchMarkdown('/eventos/concierto-viejo').headers.get('location')).toBe(
      '/eventos/concierto-unico-a-b.md',
    );
  });
});

describe('the head of a page', () => {
  const metaOf = (path: string) => {
    const result = resolvePage(state(), parsePagePath(path, FRIDAY_NOON_MS));
    if (result.kind === 'moved' || result.kind === 'failure') throw new Error(path);
    return result.page.meta;
  };
  test('names the same two addresses from both languages', () => {
    expect(metaOf('/eventos/feria-diaria').paths).toEqual(metaOf('/en/events/everyday-fair').paths);
    expect(metaOf('/_hoy/2026-11-20').paths).toEqual({ es: '/hoy', en: '/en/today' });
    expect(metaOf('/fecha/2026-11-20').paths).toEqual({
      es: '/fecha/2026-11-20',
      en: '/en/date/2026-11-20',
    });
  });
  test('points at the twin and at the calendar', () => {
    expect([metaOf('/_hoy/2026-11-20').markdown, metaOf('/_hoy/2026-11-20').calendar]).toEqual([
      '/hoy.md',
      '/api/v1/events.ics?date=today',
    ]);
    expect(metaOf('/en/zones/downtown').calendar).toBe('/api/v1/events.ics?zone=downtown&lang=en');
    expect(metaOf('/lugares/malecon-inventado').calendar).toBe('/venues/malecon-inventado.ics');
  });
});
