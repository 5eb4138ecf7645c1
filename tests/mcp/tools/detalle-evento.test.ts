// detalle_evento: by id or any slug, past ones too; what is not there or was withdrawn says so.
import { expect, test } from 'vitest';
import { openInTest, useFixture, readFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot } = useFixture();
const ask = (args: Record<string, unknown>, of = snapshot) =>
  call('detalle_evento', args, contextOf(of));

test('everything about an event, in words and as data', async () => {
  const result = await ask({ id: 'feria-diaria' });
  expectPromised(snapshot, 'detalle_evento', result);
  for (const words of [
    '# [Feria diaria](https://hoy.example/eventos/feria-diaria)',
    '**Organiza:**',
    'Cancelado',
    '<https://hoy.example/events/feria-diaria.ics>',
    '12 de 548 fechas por delante; 567 en total',
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
])('by %s it is the same event, under both names', async (name) => {
  const known = (await ask({ id: 'feria-diaria' })).structuredContent;
  const ids: Readonly<Record<string, string>> = { id: known.data.id, date: known.data.next.id };
  for (const parameter of ['id', 'idOrSlug'])
    expect((await ask({ [parameter]: ids[name] ?? name })).structuredContent).toEqual(known);
});

test('the dates of certain days', async () => {
  const asked = await ask({ id: 'feria-diaria', from: '2026-12-01', to: '2026-12-20' });
  const dates = asked.structuredContent.data.occurrences;
  expect([dates.length, dates[0].date]).toEqual([20, '2026-12-01']);
});

test('what has no venue has directions by its address', async () => {
  const { data } = (await ask({ id: 'exposicion-larga' })).structuredContent;
  expect(data.directions_url).toContain('destination=');
});

test('what may go on after its last date is not said to be over', async () => {
  const dataset = readFixture();
  const events = dataset.events.map((event) => ({ ...event, open_end: true as const }));
  const open = openInTest({ ...dataset, events });
  const over = 'Este evento ya pasó';
  expect((await ask({ id: 'taller-pasado' })).content[0].text).toContain(over);
  const past = await ask({ id: 'taller-pasado' }, open);
  expect(past.content[0].text).not.toContain(over);
  expect(past.structuredContent.data.confirm).toContain('puede haber más fechas');
});

test.each([
  [{ id: 'no-such' }, /^id: no event has this id, slug or address\. .*buscar_eventos$/],
  [{ id: 'evento-retirado' }, /^id: this event has been withdrawn$/],
  [{}, /^id: is missing\./],
  [{ id: 'https://elsewhere.example/eventos/feria-diaria' }, /^id: no event has this id/],
  [{ id: 'https://hoy.example/lugares/feria-diaria' }, /^id: no event has this id/],
  [{ id: 'feria-diaria', idOrSlug: 'obra-pospuesta' }, /^idOrSlug: names another event than 'id'/],
  [{ id: 'feria-diaria', from: '2026-02-30' }, /^from: .*Today is 2026-11-20 in Cancún$/],
  [{ slug: 'feria-diaria' }, /^slug: is not a parameter\. Use id, idOrSlug, from, to, lang; id: /],
])('%o', async (args, sentence) => {
  const result = await ask(args);
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(sentence)]);
});
