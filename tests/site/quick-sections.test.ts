// Quick sections: their events at different hours, on the page and in the tool's text.
import { expect, test } from 'vitest';
import { loadAgendaPage, buildAgendaView } from '../../src/site/agenda-page.ts';
import { localMs } from '../fixtures/fixture.ts';
import { openPageContext } from '../fixtures/site.ts';
import { call, contextOf } from '../mcp/ask.ts';

const town = openPageContext();
const buildView = (date: string, now_ms: number, query = '') => {
  const outcome = loadAgendaPage({ ...town, now_ms }, { lang: 'es', date }, query);
  if (outcome.kind !== 'page') throw new Error('no agenda');
  return buildAgendaView(outcome.page);
};

test.each([
  [
    'today',
    '2026-11-20T12:00:00',
    false,
    [
      'Ahora: Feria diaria, Exposición larga',
      'Esta noche: Concierto único; "a", b, ¡Fiesta de viernes!',
      // Free for children only, so it comes last.
      'Gratis: Feria diaria, Malecón Inventado',
      'Con niños: Feria diaria',
    ],
  ],
  [
    'today',
    '2026-11-20T23:40:00',
    true,
    [
      'Ahora: ¡Fiesta de viernes!, Exposición larga',
      'Esta noche: ¡Fiesta de viernes!',
      'Gratis: Malecón Inventado',
    ],
  ],
])('quick sections of %s at %s (night: %s) have only upcoming events', async (...row) => {
  const [date, local, is_night, expected] = row;
  const now_ms = localMs(local);
  const view = buildView(date, now_ms);
  const sections = view.quick_sections.map(
    ({ title, items }) => `${title}: ${items.map((item) => item.title).join(', ')}`,
  );
  expect([view.is_night, sections]).toEqual([is_night, expected]);
  const { content } = await call('eventos_hoy', {}, contextOf(town.snapshot, { now_ms }));
  for (const { title } of view.quick_sections) expect(content[0].text).toContain(`**${title}:**`);
});

test('several days have no now and tonight sections; a filtered page has no quick sections', () => {
  const noon = localMs('2026-11-20T12:00:00');
  const weekend_keys = buildView('weekend', noon).quick_sections.map(({ key }) => key);
  expect(weekend_keys).toEqual(['free', 'family']);
  expect(buildView('today', noon, 'free=1').quick_sections).toEqual([]);
});
