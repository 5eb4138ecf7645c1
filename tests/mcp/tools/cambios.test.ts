// cambios tool: tests the list of changes since a day, and its filters.
import { expect, test } from 'vitest';
import { useFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot } = useFixture();
type Change = Readonly<Record<'change' | 'kind' | 'title', string>>;
const ask = (args: Record<string, unknown>, more = {}) =>
  call('cambios', args, contextOf(snapshot, more));

test('lists new records as links in the requested language', async () => {
  const result = await ask({ since: '2026-11-20', lang: 'en' });
  expectPromised(snapshot, 'cambios', result);
  const { data, total, meta } = result.structuredContent;
  expect([data.length, meta.count]).toEqual([total, total]);
  const { text } = result.content[0];
  expect(text).toContain(`${total} changes since Friday, November 20, 2026.`);
  expect(text.match(/^- \*\*(New|Canceled|Postponed)\*\*: \[/gm)).toHaveLength(total);
  for (const { url } of data) expect(text).toContain(url);
});

const since = '2026-01-01';
test.each([
  [{ change: 'cancelled' }, ({ change }: Change) => change === 'cancelled'],
  [{ change: 'added', kind: 'venue' }, ({ kind }: Change) => kind === 'venue'],
  [{ category: 'Mercados' }, ({ title }: Change) => title === 'Feria diaria'],
  [{ zone: 'isla mujeres', kind: 'venue' }, ({ title }: Change) => title === 'Foro sin Punto'],
])('%o lists only matching changes', async (args, matches) => {
  const all: Change[] = (await ask({ since })).structuredContent.data;
  const { data, total } = (await ask({ since, ...args })).structuredContent;
  expect(data).toEqual(all.filter(matches));
  expect(total).toBe(data.length);
});
