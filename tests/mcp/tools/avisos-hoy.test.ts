// avisos_hoy: the notices of a day, the gravest first; a day without any says so.
import { afterAll, expect, test } from 'vitest';
import { openFixture } from '../../fixtures/fixture.ts';
import { readFixtureInSeason } from '../../fixtures/season.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const ask = (args: Record<string, unknown>) => call('avisos_hoy', args, contextOf(snapshot));

test('today is the day where none is asked', async () => {
  const result = await ask({});
  expectPromised(snapshot, 'avisos_hoy', result);
  expect(result.structuredContent).toEqual((await ask({ date: 'today' })).structuredContent);
  for (const words of [
    'viernes 20 de noviembre de 2026: 2 avisos',
    'Precaución (clima): Oleaje alto',
    'https://avisos.example/oleaje',
  ])
    expect(result.content[0].text).toContain(words);
});

test.each([
  ['domingo', '2026-11-22'],
  ['Friday', '2026-11-20'],
  ['2026-12-25', '2026-12-25'],
])('%s has the day itself beside its notices', async (date, day) => {
  const { structuredContent, content } = await ask({ date });
  expect(structuredContent.meta.date).toBe(day);
  expect(structuredContent.day).toMatchObject({
    date: day,
    text: expect.stringContaining('Sale el sol'),
  });
  for (const words of [
    'Sale el sol a las',
    ...structuredContent.day.links.map(({ url }: { url: string }) => url),
  ])
    expect(content[0].text).toContain(words);
});

test('a day without notices', async () => {
  const result = await ask({ date: '2025-01-01' });
  expectPromised(snapshot, 'avisos_hoy', result);
  expect(result.content[0].text).toContain('0 avisos');
  expect(result.content[0].text).not.toContain('<agenda>');
});

test('a season is told in full here, after the others, and in one line beside events', async () => {
  const opened = openFixture(readFixtureInSeason());
  const context = contextOf(opened.snapshot);
  const result = await call('avisos_hoy', {}, context);
  expect(result.structuredContent.data.at(-1)).toMatchObject({ season: true });
  expect(result.structuredContent.meta.count).toBe(3);
  expect(result.content[0].text).toContain('2026: 3 avisos');
  expect(result.content[0].text).toContain('Frentes fríos');
  const today = await call('eventos_hoy', { lang: 'en' }, context);
  expect(today.content[0].text).toContain('\n\nIn season: north winds\n');
  expect(today.content[0].text).not.toContain('Cold fronts');
  expect(today.structuredContent.in_season).toEqual(['north winds']);
  opened.close();
});
