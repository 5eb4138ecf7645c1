// detalle_evento: by id or any slug, past ones too; what is not there or was withdrawn says so.
import { afterAll, expect, test } from 'vitest';
import { openFixture } from '../../fixtures/fixture.ts';
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
    '# Feria diaria',
    '**Cuándo:**',
    'Av. de Mentiras 1',
    '**Organiza:**',
    '## Fechas',
    'Cancelado',
    'hora de Cancún (UTC−5)',
    'https://hoy.example/eventos/feria-diaria',
    'Calle cerrada',
  ])
    expect(text).toContain(words);
});

test.each(['id', 'everyday-fair'])('by %s it is the same event', async (id) => {
  const known = (await ask({ id: 'feria-diaria' })).structuredContent;
  const asked = id === 'id' ? known.data.id : id;
  expect((await ask({ id: asked })).structuredContent).toEqual(known);
});

test('a former slug still answers, and so does what is over', async () => {
  expect((await ask({ id: 'concierto-viejo' })).structuredContent.data.url_es).toBe(
    'https://hoy.example/eventos/concierto-unico-a-b',
  );
  const past = await ask({ id: 'taller-pasado' });
  expectPromised(snapshot, 'detalle_evento', past);
  expect(past.structuredContent.data.is_past).toBe(true);
  expect(past.content[0].text).toContain('Este evento ya pasó');
});

test.each([
  [{ id: 'no-such' }, /^id: no event has this id or slug\. .*buscar_eventos$/],
  [{ id: 'evento-retirado' }, /^id: this event has been withdrawn$/],
  [{}, /^id: is missing\./],
  [{ id: '' }, /^id: is missing\./],
  [{ slug: 'feria-diaria' }, /^slug: is not a parameter\. Use id, lang; id: is missing/],
  [{ id: 'feria-diaria', lang: 'fr' }, /^lang: 'fr' is not accepted\. Use es or en$/],
  [{ id: "x' or 1=1 --" }, /^id: no event has/],
])('%o', async (args, sentence) => {
  const result = await ask(args);
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(sentence)]);
});
