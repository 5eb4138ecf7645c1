// Page routes: each address returns its page, a redirect or a failure.
import { describe, expect, test } from 'vitest';
import { listWarmDays } from '../../src/site/agenda-page.ts';
import { FAILURE_STATUS, NOT_FOUND } from '../../src/site/page-meta.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { openPageContext } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, localMs } from '../fixtures/fixture.ts';

const town = openPageContext();
const { snapshot } = town;
const createState = (now_ms = FRIDAY_NOON_MS) => ({ ...town, now_ms });

function describeOutcome(path: string, now_ms = FRIDAY_NOON_MS): string {
  const outcome = matchPage(path)?.load(createState(now_ms), '') ?? NOT_FOUND;
  if (outcome.kind === 'redirect') return `${outcome.status} ${outcome.location}`;
  if (outcome.kind === 'failure') return String(FAILURE_STATUS[outcome.failure]);
  return `${outcome.status} ${outcome.page.meta.title}`;
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
  ])('%s returns %s', (path, expected) => {
    expect(describeOutcome(path)).toBe(expected);
  });
  test('of the embed frame does not match a page', () => {
    expect([matchPage('/embed'), matchPage('/en/embed')]).toEqual([null, null]);
  });
  test('with an id redirects to the slug', () => {
    const id = snapshot.db.prepare('select id from events where position = 0').pluck().get();
    expect(describeOutcome(`/eventos/${id}`)).toMatch(/^301 \/eventos\/[a-z]/);
  });
  test.each([
    ['/hoy', '2026-11-20T23:59:59', 'viernes 20'],
    ['/hoy', '2026-11-21T00:00:00', 'sábado 21'],
    ['/en/tomorrow', '2026-12-31T12:00:00', 'Friday, January 1, 2027'],
    ['/en/weekend', '2026-11-19T12:00:00', 'Friday, November 20 to Sunday'],
    ['/fin-de-semana', '2026-11-21T12:00:00', 'del sábado 21 al domingo 22'],
    ['/en/week', '2026-12-29T12:00:00', 'December 29, 2026 to Monday, January 4, 2027'],
  ])('with an agenda keyword depends on the clock: %s at %s is %s', (path, local, expected) => {
    expect(describeOutcome(path, localMs(local))).toContain(expected);
  });
  test('changes every minute if its days include today, or it is the search', () => {
    const changesEveryMinute = (path: string) =>
      matchPage(path)?.changesEveryMinute(FRIDAY_NOON_MS);
    for (const path of ['/hoy', '/semana', '/fecha/2026-11-20', '/buscar'])
      expect([path, changesEveryMinute(path)]).toEqual([path, true]);
    for (const path of ['/manana', '/fecha/2026-11-21', '/docs', '/zonas/centro'])
      expect([path, changesEveryMinute(path)]).toEqual([path, false]);
  });
});

test('the warm-up renders yesterday to 92 days ahead', () => {
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
])(
  'the Markdown version of %s has status %i, the reason and a link',
  async (path, status, text) => {
    const response = createMarkdownResponse(createState(), path);
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(text)]);
  },
);

const metaOf = (path: string) => {
  const outcome = matchPage(path)?.load(createState(), '');
  if (outcome?.kind !== 'page') throw new Error(path);
  return outcome.page.meta;
};
test.each([
  ['/hoy', '/api/v1/events.ics?date=today'],
  ['/en/zones/downtown', '/api/v1/events.ics?zone=downtown&lang=en'],
  ['/lugares/malecon-inventado', '/venues/malecon-inventado.ics'],
])('the metadata of %s has its calendar', (path, calendar) => {
  expect(metaOf(path).calendar).toBe(calendar);
});
