// The shelves of a day: what each names at which hour, on the page and by name in the tool's text.
import { expect, test } from 'vitest';
import { loadAgendaPage, buildAgendaView } from '../../src/site/agenda-page.ts';
import { at } from '../fixtures/fixture.ts';
import { openState } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const town = openState();
const print = (date: string, now_ms: number, query = '') => {
  const answer = loadAgendaPage({ ...town, now_ms }, { lang: 'es', date }, query);
  if (answer.kind !== 'page') throw new Error('no agenda');
  return buildAgendaView(answer.page);
};

test.each([
  [
    'today',
    '2026-11-20T12:00:00',
    false,
    [
      'Ahora: Feria diaria, Exposición larga',
      'Esta noche: Concierto único; "a", b, ¡Fiesta de viernes!',
      'Gratis: Feria diaria',
      'Con niños: Feria diaria',
    ],
  ],
  [
    'today',
    '2026-11-20T23:40:00',
    true,
    ['Ahora: ¡Fiesta de viernes!, Exposición larga', 'Esta noche: ¡Fiesta de viernes!'],
  ],
])('of %s at %s: night first (%s), nothing the day had', async (date, local, is_night, shown) => {
  const now_ms = at(local);
  const view = print(date, now_ms);
  const told = view.shelves.map(
    ({ title, items }) => `${title}: ${items.map((item) => item.title).join(', ')}`,
  );
  expect([view.is_night, told]).toEqual([is_night, shown]);
  const { content } = await call('eventos_hoy', {}, contextOf(town.snapshot, { now_ms }));
  for (const { title } of view.shelves) expect(content[0].text).toContain(`**${title}:**`);
});

test('of several days have no hours; a list that is asked for has no shelves', () => {
  const noon = at('2026-11-20T12:00:00');
  expect(print('weekend', noon).shelves.map(({ key }) => key)).toEqual(['free', 'family']);
  expect(print('today', noon, 'free=1').shelves).toEqual([]);
});
