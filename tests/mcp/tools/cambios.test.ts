// cambios: what changed since a day, in both halves.
import { expect, test } from 'vitest';
import { useFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot } = useFixture();
type Told = Readonly<Record<'change' | 'kind' | 'title', string>>;
const ask = (args: Record<string, unknown>, more = {}) =>
  call('cambios', args, contextOf(snapshot, more));

test('says what is new, each as a link, in the language asked for', async () => {
  const result = await ask({ since: '2026-11-20', lang: 'en' });
  expectPromised(snapshot, 'cambios', result);
  const { data, total, meta } = result.structuredContent;
  expect([data.length, meta.count]).toEqual([total, total]);
  const { text } = result.content[0];
  expect(text).toContain(`${total} changes since Friday, November 20, 2026.`);
  expect(text.match(/\*\*New\*\*: \[/g)).toHaveLength(total);
  for (const { url } of data) expect(text).toContain(url);
});

const since = '2026-01-01';
test.each([
  [{ change: 'cancelled' }, ({ change }: Told) => change === 'cancelled'],
  [{ change: 'added', kind: 'venue' }, ({ kind }: Told) => kind === 'venue'],
  [{ category: 'Mercados' }, ({ title }: Told) => title === 'Feria diaria'],
  [{ zone: 'isla mujeres', kind: 'venue' }, ({ title }: Told) => title === 'Foro sin Punto'],
])('%o: only those', async (args, passes) => {
  const all: Told[] = (await ask({ since })).structuredContent.data;
  const { data, total } = (await ask({ since, ...args })).structuredContent;
  expect(data).toEqual(all.filter(passes));
  expect(total).toBe(data.length);
});
