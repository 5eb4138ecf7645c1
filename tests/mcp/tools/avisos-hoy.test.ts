// avisos_hoy: the notices of a day, the gravest first; a day without any says so.
import { afterAll, expect, test } from 'vitest';
import { openFixture } from '../../fixtures/fixture.ts';
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

test('tomorrow begins with its alert', async () => {
  const result = await ask({ date: 'tomorrow', lang: 'en' });
  expect(result.structuredContent.data[0].severity).toBe('alert');
  expect(result.content[0].text).toContain('Notices for Saturday, November 21, 2026: 3 notices');
});

test('a day without notices', async () => {
  const result = await ask({ date: '2025-01-01' });
  expectPromised(snapshot, 'avisos_hoy', result);
  expect(result.content[0].text).toContain('0 avisos');
  expect(result.content[0].text).not.toContain('<agenda>');
});

test('weekend is no day of notices', async () => {
  expect((await ask({ date: 'weekend' })).content[0].text).toBe(
    "date: 'weekend' is not accepted. Use today, tomorrow or a day as YYYY-MM-DD",
  );
});
