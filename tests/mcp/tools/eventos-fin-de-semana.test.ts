// eventos_fin_de_semana: Friday to Sunday, and from today on those days.
import { afterAll, expect, test } from 'vitest';
import { at, openFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);

test.each([
  ['2026-11-19T12:00:00', '2026-11-20', '2026-11-22'],
  ['2026-11-20T12:00:00', '2026-11-20', '2026-11-22'],
  ['2026-11-21T12:00:00', '2026-11-21', '2026-11-22'],
  ['2026-11-22T23:59:00', '2026-11-22', '2026-11-22'],
  ['2026-11-23T00:00:00', '2026-11-27', '2026-11-29'],
])('at %s it is %s to %s', async (moment, from, to) => {
  const result = await call(
    'eventos_fin_de_semana',
    {},
    contextOf(snapshot, { now_ms: at(moment) }),
  );
  expectPromised(snapshot, 'eventos_fin_de_semana', result);
  expect(result.structuredContent.meta.range).toEqual({ from, to });
});

test('the notices of its days stand before the events, the gravest first', async () => {
  const { text } = (await call('eventos_fin_de_semana', {}, contextOf(snapshot))).content[0];
  expect(text.indexOf('## Avisos')).toBeLessThan(text.indexOf('## Eventos'));
  expect(text.indexOf('**Alerta')).toBeGreaterThan(0);
  expect(text.indexOf('**Alerta')).toBeLessThan(text.indexOf('**Precaución'));
});
