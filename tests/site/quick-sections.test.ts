// Quick sections: their events at different hours, on the page and in the tool's text.
import { expect, onTestFinished, test } from 'vitest';
import { loadAgendaPage, buildAgendaView } from '../../src/site/agenda-page.ts';
import { loadFixture, localMs, openFixture } from '../fixtures/fixture.ts';
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

test('items with under 90 minutes left come last, those past their last entry are left out', () => {
  const readNow = (last_entry: string | null, local: string): readonly string[] => {
    const dataset = loadFixture();
    const occurrences = dataset.occurrences.map((date) =>
      last_entry !== null && !date.all_day && date.start.startsWith('2026-11-20T10:00')
        ? { ...date, last_entry_ms: localMs(last_entry) }
        : date,
    );
    const { snapshot, close } = openFixture({ ...dataset, occurrences });
    onTestFinished(close);
    const outcome = loadAgendaPage(
      { ...town, snapshot, now_ms: localMs(local) },
      { lang: 'es', date: 'today' },
      '',
    );
    if (outcome.kind !== 'page') throw new Error('no agenda');
    const { quick_sections } = buildAgendaView(outcome.page);
    return quick_sections.find(({ key }) => key === 'now')?.items.map(({ title }) => title) ?? [];
  };
  const [FAIR, EXHIBITION] = ['Feria diaria', 'Exposición larga'];
  expect(readNow(null, '2026-11-20T12:00:00')).toEqual([FAIR, EXHIBITION]);
  expect(readNow(null, '2026-11-20T13:00:00')).toEqual([EXHIBITION, FAIR]);
  expect(readNow('2026-11-20T12:30:00', '2026-11-20T12:00:00')).toEqual([EXHIBITION, FAIR]);
  expect(readNow('2026-11-20T12:30:00', '2026-11-20T12:30:00')).toEqual([EXHIBITION]);
});

test('an event that needs a booking comes after the others and says so', () => {
  const dataset = loadFixture();
  const events = dataset.events.map((event) =>
    event.title.es === 'Feria diaria'
      ? { ...event, registration_url: 'https://reservas.example' }
      : event,
  );
  const { snapshot, close } = openFixture({ ...dataset, events });
  onTestFinished(close);
  const context = { ...town, snapshot, now_ms: localMs('2026-11-20T12:00:00') };
  const outcome = loadAgendaPage(context, { lang: 'es', date: 'today' }, '');
  if (outcome.kind !== 'page') throw new Error('no agenda');
  const { quick_sections } = buildAgendaView(outcome.page);
  const items = quick_sections.find(({ key }) => key === 'now')?.items ?? [];
  expect(items.map(({ title, hint }) => [title, hint.includes('con reserva')])).toEqual([
    ['Exposición larga', false],
    ['Feria diaria', true],
  ]);
});

test('several days have no now and tonight sections; a filtered page has no quick sections', () => {
  const noon = localMs('2026-11-20T12:00:00');
  const weekend_keys = buildView('weekend', noon).quick_sections.map(({ key }) => key);
  expect(weekend_keys).toEqual(['free', 'family']);
  expect(buildView('today', noon, 'free=1').quick_sections).toEqual([]);
});
