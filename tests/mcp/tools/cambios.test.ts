// cambios: what changed since a day, in both halves, the last first.
import { afterAll, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../../src/domain/ledger.ts';
import { addHistories } from '../../../src/sources/to-histories.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);
/** A change as the tool tells it. */
interface Told {
  readonly change: string;
  readonly kind: string;
  readonly title: string;
}
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

test('goes on by its cursor to the last of them', async () => {
  const town = readFixture();
  const [organizer] = town.organizers;
  if (organizer === undefined) throw new Error('the fixture lacks organizers');
  const copies = Array.from({ length: 60 }, (_, n) => ({
    ...organizer,
    id: `or_copy${222_000 + n}`,
    name: `Colectivo ${n}`,
  }));
  const more = addHistories({ ...town, organizers: copies, ledger: EMPTY_LEDGER }, FRIDAY_NOON_MS);
  const opened = openFixture(more);
  const seen = new Set<string>();
  let cursor: string | null = null;
  let total = 0;
  do {
    const args = { since, lang: 'en', ...(cursor === null ? {} : { cursor }) };
    const { structuredContent } = await call('cambios', args, contextOf(opened.snapshot));
    for (const { id } of structuredContent.data) seen.add(id);
    ({ next_cursor: cursor, total } = structuredContent);
  } while (cursor !== null);
  opened.close();
  expect(total).toBeGreaterThan(60);
  expect(seen.size).toBe(total);
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
