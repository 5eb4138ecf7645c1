// What each address of the site answers: the page, the way to it, or why there is none.
import { describe, expect, test } from 'vitest';
import { listWarmDays } from '../../src/site/agenda-page.ts';
import { FAILURE_STATUS, NOT_FOUND } from '../../src/site/page-meta.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { openState } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, at } from '../fixtures/fixture.ts';

const town = openState();
const { snapshot } = town;
const state = (now_ms = FRIDAY_NOON_MS) => ({ ...town, now_ms });

function visit(path: string, now_ms = FRIDAY_NOON_MS): string {
  const answer = matchPage(path)?.load(state(now_ms), '') ?? NOT_FOUND;
  if (answer.kind === 'redirect') return `${answer.status} ${answer.location}`;
  if (answer.kind === 'failure') return String(FAILURE_STATUS[answer.failure]);
  return `${answer.status} ${answer.page.meta.title}`;
}

describe('an address', () => {
  test.each([
    ['/fecha/2026-11-21', '200 Agenda de Cancún, sábado 21 de noviembre de 2026'],
    ['/avisos', '200 Avisos de Cancún, viernes 20 de noviembre de 2026'],
    ['/eventos/feria-diaria', '200 Feria diaria'],
    ['/en/events/everyday-fair', '200 Everyday Fair'],
    ['/categorias/musica-en-vivo', '200 Música en vivo en Cancún'],
    ['/eventos/concierto-viejo', '301 /eventos/concierto-unico-a-b'],
    ['/en/events/feria-diaria', '301 /en/events/everyday-fair'],
    ['/categorias/live-music', '301 /categorias/musica-en-vivo'],
    ['/eventos/evento-retirado', '410'],
    ['/eventos/nada', '404'],
    [
      '/fecha/2026-12-20--2027-01-02',
      '200 Agenda de Cancún, del domingo 20 de diciembre de 2026 al sábado 2 de enero de 2027',
    ],
    ['/fecha/2027-01-02--2026-12-20', '404'],
    ['/fecha/2026-12-01--2027-03-03', '404'],
    ['/navidad', '200 Navidad en Cancún, del 16 de diciembre de 2026 al 6 de enero de 2027'],
    ['/christmas', '301 /navidad'],
    ['/semana-santa', '404'],
    ['/week', '404'],
    ['/2026-12-24', '404'],
    ['/fecha/2026-02-30', '404'],
    ['/fecha/2031-01-01', '404'],
    ['/fecha/ayer', '404'],
    ['/fecha', '302 /hoy'],
    ['/', '302 /hoy'],
    ['/en/eventos/feria-diaria', '404'],
    ["/eventos/'; drop table events; --", '404'],
  ])('%s answers %s', (path, expected) => {
    expect(visit(path)).toBe(expected);
  });
  test('the frame for other sites is no page', () => {
    expect([matchPage('/embed'), matchPage('/en/embed')]).toEqual([null, null]);
  });
  test('by id leads to the page', () => {
    const id = snapshot.db.prepare('select id from events where position = 0').pluck().get();
    expect(visit(`/eventos/${id}`)).toMatch(/^301 \/eventos\/[a-z]/);
  });
  test.each([
    ['/hoy', '2026-11-20T23:59:59', 'viernes 20'],
    ['/hoy', '2026-11-21T00:00:00', 'sábado 21'],
    ['/en/tomorrow', '2026-12-31T12:00:00', 'Friday, January 1, 2027'],
    ['/en/weekend', '2026-11-19T12:00:00', 'Friday, November 20 to Sunday'],
    ['/fin-de-semana', '2026-11-21T12:00:00', 'del sábado 21 al domingo 22'],
    ['/en/week', '2026-12-29T12:00:00', 'December 29, 2026 to Monday, January 4, 2027'],
  ])('that the clock decides: %s at %s is %s', (path, local, expected) => {
    expect(visit(path, at(local))).toContain(expected);
  });
  test('is of its minute where today is in it, or the search is asked', () => {
    const isOfMinute = (path: string) => matchPage(path)?.isOfMinute(FRIDAY_NOON_MS);
    for (const path of ['/hoy', '/semana', '/fecha/2026-11-20', '/buscar'])
      expect([path, isOfMinute(path)]).toEqual([path, true]);
    for (const path of ['/manana', '/fecha/2026-11-21', '/docs', '/zonas/centro'])
      expect([path, isOfMinute(path)]).toEqual([path, false]);
  });
});

test('yesterday and 92 days ahead are built', () => {
  const days = listWarmDays(FRIDAY_NOON_MS);
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-11-19', '2027-02-20', 94]);
});

test.each([
  ['/en/nothing', 404, /^# Nothing here\n.*\(https:\/\/agenda\.example\/en\/today\.md\)/s],
  [
    '/eventos/evento-retirado',
    410,
    /^# Página retirada\n.*\(https:\/\/agenda\.example\/hoy\.md\)/s,
  ],
])('the Markdown of %s has the status %i, says why and leads on', async (path, status, said) => {
  const answer = createMarkdownResponse(state(), path);
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(said)]);
});

const metaOf = (path: string) => {
  const answer = matchPage(path)?.load(state(), '');
  if (answer?.kind !== 'page') throw new Error(path);
  return answer.page.meta;
};
test.each([
  ['/hoy', '/api/v1/events.ics?date=today'],
  ['/en/zones/downtown', '/api/v1/events.ics?zone=downtown&lang=en'],
  ['/lugares/malecon-inventado', '/venues/malecon-inventado.ics'],
])('the head of a page of %s points at its calendar', (path, calendar) => {
  expect(metaOf(path).calendar).toBe(calendar);
});
