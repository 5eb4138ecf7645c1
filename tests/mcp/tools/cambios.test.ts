// cambios: what changed since a day, in both halves, the last first.
import { afterAll, expect, test } from 'vitest';
import { openFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const ask = (args: Record<string, unknown>) => call('cambios', args, contextOf(snapshot));

test('says what is new, each as a link, in the language asked for', async () => {
  const result = await ask({ since: '2026-11-20', lang: 'en' });
  expectPromised(snapshot, 'cambios', result);
  const { data, total, meta } = result.structuredContent;
  const { text } = result.content[0];
  expect(text).toContain(`${total} changes since Friday, November 20, 2026.`);
  expect([data.length, meta.count]).toEqual([total, total]);
  for (const { title, url, change } of data) {
    expect(change).toBe('added');
    expect(text).toContain('**New**: [');
    expect([text.includes(title.split(/[!¡]/)[0]), text.includes(url)]).toEqual([true, true]);
  }
});

test('nothing since today is said, and a wrong day is refused with the right ones', async () => {
  const later = await call(
    'cambios',
    { since: '2026-11-21', lang: 'en' },
    { ...contextOf(snapshot), now_ms: Date.parse('2026-11-22T12:00:00-05:00') },
  );
  expect(later.structuredContent).toMatchObject({ data: [], total: 0 });
  expect(later.content[0].text).toContain('0 changes since Saturday, November 21, 2026.');
  const wrong = await ask({ since: 'ayer' });
  expect(wrong).toMatchObject({ isError: true });
  expect(wrong.content[0].text).toContain("since: 'ayer' is no moment");
});
