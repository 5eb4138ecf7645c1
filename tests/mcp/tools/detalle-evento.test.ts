// detalle_evento: by id or any slug, past ones too; what is not there or was withdrawn says so.
import { afterAll, expect, test } from 'vitest';
import { openFixture, readFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const ask = (args: Record<string, unknown>) => call('detalle_evento', args, contextOf(snapshot));

test('everything about an event, in words and as data', async () => {
  const result = await ask({ id: 'feria-diaria' });
  expectPromised(snapshot, 'detalle_evento', result);
  const { text } = result.content[0];
  for (const words of [
    '# [Feria diaria](https://hoy.example/eventos/feria-diaria)',
    '**Organiza:**',
    'Cancelado',
    '**Calendario:** <https://hoy.example/events/feria-diaria.ics>',
    '12 de 548 fechas por delante; 567 en total',
    'Calle cerrada',
  ])
    expect(text).toContain(words);
});

test.each([
  'id',
  'date',
  'everyday-fair',
  'https://hoy.example/eventos/feria-diaria',
  'https://hoy.example/en/events/everyday-fair.md?x=1#dates',
  'https://hoy.example/events/feria-diaria.ics',
  '/eventos/feria-diaria',
])('by %s it is the same event, under both names', async (name) => {
  const known = (await ask({ id: 'feria-diaria' })).structuredContent;
  const ids: Readonly<Record<string, string>> = { id: known.data.id, date: known.data.next.id };
  for (const parameter of ['id', 'idOrSlug'])
    expect((await ask({ [parameter]: ids[name] ?? name })).structuredContent).toEqual(known);
});

test('the next twelve dates, or those of certain days, and how many there are', async () => {
  const { occurrences, occurrence_count, dates_url } = (await ask({ id: 'feria-diaria' }))
    .structuredContent.data;
  expect([occurrences.length, occurrence_count]).toEqual([12, 567]);
  expect(dates_url).toBe('https://hoy.example/eventos/feria-diaria/fechas.md');
  const asked = (await ask({ id: 'feria-diaria', from: '2026-12-01', to: '2026-12-20' }))
    .structuredContent.data;
  expect(asked.occurrences.map(({ date }: { date: string }) => date)).toEqual(
    Array.from({ length: 20 }, (_, at) => `2026-12-${String(at + 1).padStart(2, '0')}`),
  );
});

test.each([
  ['feria-diaria', 'destination=21.1266%2C-86.8161'],
  ['exposicion-larga', 'destination='],
  ['concierto-unico-a-b', 'destination='],
])('%s: how to get there and where to ask for a place stand in both halves', async (id, way) => {
  const { structuredContent, content } = await ask({ id });
  const { venue, directions_url, ticket_url, source_url } = structuredContent.data;
  expect(venue?.directions_url ?? directions_url).toContain(way);
  for (const url of [venue?.directions_url ?? directions_url, ticket_url ?? source_url])
    expect(content[0].text).toContain(url ?? '');
});

test('what may go on after its last date is not said to be over', async () => {
  const dataset = readFixture();
  const events = dataset.events.map((event) => ({ ...event, open_end: true as const }));
  const open = openFixture({ ...dataset, events });
  expect((await ask({ id: 'taller-pasado' })).content[0].text).toContain('Este evento ya pasó');
  const past = await call('detalle_evento', { id: 'taller-pasado' }, contextOf(open.snapshot));
  open.close();
  expect(past.content[0].text).not.toContain('Este evento ya pasó');
  expect(past.structuredContent.data.confirm).toBe(
    'Todavía no tiene fecha de término: puede haber más fechas que estas.',
  );
});

test.each([
  [{ id: 'no-such' }, /^id: no event has this id, slug or address\. .*buscar_eventos$/],
  [{ id: 'evento-retirado' }, /^id: this event has been withdrawn$/],
  [{}, /^id: is missing\./],
  [{ id: 'https://elsewhere.example/eventos/feria-diaria' }, /^id: no event has this id/],
  [{ id: 'https://hoy.example/lugares/feria-diaria' }, /^id: no event has this id/],
  [{ id: 'feria-diaria', idOrSlug: 'obra-pospuesta' }, /^idOrSlug: names another event than 'id'/],
  [{ id: 'feria-diaria', from: '2026-02-30' }, /^from: .*Today is 2026-11-20 in Cancún$/],
  [
    { slug: 'feria-diaria' },
    /^slug: is not a parameter\. Use id, idOrSlug, from, to, lang; id: is missing/,
  ],
])('%o', async (args, sentence) => {
  const result = await ask(args);
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(sentence)]);
});
