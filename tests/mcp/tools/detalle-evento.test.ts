// detalle_evento tool: tests events by id, slug and URL, their dates, and missing or withdrawn events.
import { expect, test } from 'vitest';
import { openTestSnapshot, useFixture, loadFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot } = useFixture();
const ask = (args: Record<string, unknown>, queried_snapshot = snapshot) =>
  call('detalle_evento', args, contextOf(queried_snapshot));

test('an event has all facts in text and structured content', async () => {
  const result = await ask({ id: 'feria-diaria' });
  expectPromised(snapshot, 'detalle_evento', result);
  for (const words of [
    '# [Feria diaria](https://hoy.example/eventos/feria-diaria)',
    '**Organiza:**',
    'Cancelado',
    '<https://hoy.example/events/feria-diaria.ics>',
    '12 de 548 próximas fechas; 567 en total',
    'Calle cerrada',
    'destination=21.1266%2C-86.8161',
  ])
    expect(result.content[0].text).toContain(words);
  const { occurrences, occurrence_count, dates_url } = result.structuredContent.data;
  expect([occurrences.length, occurrence_count]).toEqual([12, 567]);
  expect(dates_url).toBe('https://hoy.example/eventos/feria-diaria/fechas.md');
});

test.each([
  'id',
  'date',
  'everyday-fair',
  'https://hoy.example/en/events/everyday-fair.md?x=1#dates',
  'https://hoy.example/events/feria-diaria.ics',
  '/eventos/feria-diaria',
])('%s finds the same event, as id and as idOrSlug', async (name) => {
  const expected = (await ask({ id: 'feria-diaria' })).structuredContent;
  const { data } = expected;
  const ids: Readonly<Record<string, string>> = { id: data.id, date: data.next.id };
  for (const parameter of ['id', 'idOrSlug'])
    expect((await ask({ [parameter]: ids[name] ?? name })).structuredContent).toEqual(expected);
});

test('from and to select the dates of a range', async () => {
  const result = await ask({ id: 'feria-diaria', from: '2026-12-01', to: '2026-12-20' });
  const dates = result.structuredContent.data.occurrences;
  expect([dates.length, dates[0].date]).toEqual([20, '2026-12-01']);
});

test('an event without a venue has directions by its address', async () => {
  const { data } = (await ask({ id: 'exposicion-larga' })).structuredContent;
  expect(data.directions_url).toContain('destination=');
});

test('an event with an open end is not called over after its last date', async () => {
  const dataset = loadFixture();
  const events = dataset.events.map((event) => ({ ...event, open_end: true as const }));
  const open_end_snapshot = openTestSnapshot({ ...dataset, events });
  const over_text = 'Este evento ya pasó';
  expect((await ask({ id: 'taller-pasado' })).content[0].text).toContain(over_text);
  const open_end = await ask({ id: 'taller-pasado' }, open_end_snapshot);
  expect(open_end.content[0].text).not.toContain(over_text);
  expect(open_end.structuredContent.data.confirm).toContain('puede haber más fechas');
});

test.each([
  [{ id: 'no-such' }, /^id: no event has this id, slug or address\. .*buscar_eventos$/],
  [{ id: 'evento-retirado' }, /^id: this event was withdrawn$/],
  [{}, /^id: is missing\./],
  [{ id: 'https://elsewhere.example/eventos/feria-diaria' }, /^id: no event has this id/],
  [{ id: 'https://hoy.example/lugares/feria-diaria' }, /^id: no event has this id/],
  [{ id: 'feria-diaria', idOrSlug: 'obra-pospuesta' }, /^idOrSlug: names another event than 'id'/],
  [{ id: 'feria-diaria', from: '2026-02-30' }, /^from: .*Today is 2026-11-20 in Cancún$/],
  [{ slug: 'feria-diaria' }, /^slug: unknown parameter\. Use id, idOrSlug, from, to, lang; id: /],
])('%o is rejected', async (args, sentence) => {
  const result = await ask(args);
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(sentence)]);
});
