// The list that is kept or shared: in order, what is over folded, what is gone counted.
import { expect, test } from 'vitest';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { savedPage } from '../../src/site/saved-page.ts';
import type { SavedView } from '../../src/site/saved-page.ts';
import { openState, SITE } from '../fixtures/site.ts';

const state = openState();
const toId = (slug: string): string =>
  state.snapshot.index.cards.find(({ event }) => event.slug.es === slug)?.event.id ?? slug;
const SLUGS = ['taller-pasado', 'carnaval-inventado', 'obra-pospuesta', 'feria-diaria'];
const IDS = [...SLUGS, 'concierto-unico-a-b', 'exposicion-larga'].map(toId);

async function open(ids: readonly string[]): Promise<SavedView> {
  const found = savedPage.routes[0]?.find('');
  const answer = await found?.handle(state, `ids=${ids.join(',')}`, null);
  if (answer?.kind !== 'page') throw new Error(`${answer?.kind}`);
  return JSON.parse(JSON.stringify(answer.page));
}
const write = (query: string): Response => createMarkdownResponse(state, '/guardados', query);

test('has each event once under its next date, the weekend first, what is over last and folded', async () => {
  const { lists, tally, gone } = await open(IDS);
  const toNames = ({ rows }: (typeof lists)[number]) =>
    rows.map(({ path }) => path.replace('/eventos/', '')).join(' ');
  const told = lists.map((one) => [one.key, one.fold ?? '', toNames(one)]);
  expect(told).toEqual([
    ['weekend', '', 'feria-diaria concierto-unico-a-b'],
    ['m2026-11', '', 'obra-pospuesta'],
    ['m2027-02', '', 'carnaval-inventado'],
    ['begun', '', 'exposicion-larga'],
    ['past', 'closed', 'taller-pasado'],
  ]);
  expect([tally, gone]).toEqual([{ tally: '6 eventos' }, null]);
});

test('counts what is gone, and offers what is left to be passed on', async () => {
  const [first = ''] = IDS;
  const { all, gone, share, meta } = await open([first, 'ev_retired', first, '<b>']);
  expect(gone?.words).toBe('Un evento ya no está en la agenda.');
  expect(all).toEqual([first, 'ev_retired']);
  expect(share?.url).toBe(`${SITE.url}/guardados?ids=${first}`);
  expect(meta.query?.en).toBe(`?ids=${first},ev_retired`);
});

test('is empty without events, and then says how to save one', async () => {
  const { lists, empty, share, all } = await open([]);
  expect([lists, share, all]).toEqual([[], null, null]);
  expect(empty).toContain('Guardar');
});

test('says in Markdown what the page says, and refuses what is no list', async () => {
  const text = await write(`ids=${IDS.join(',')},ev_gone`).text();
  const headings = text.match(/^## .*/gm);
  expect(headings?.at(0)).toBe('## Mi fin de semana');
  expect(headings?.at(-1)).toBe('## Ya pasaron');
  expect(text.match(/^### .*/gm)).toHaveLength(IDS.length);
  expect(text).toContain('Un evento ya no está en la agenda.');
  for (const wrong of ['ids=hola', `ids=${Array.from({ length: 61 }, (_, at) => `ev_${at}`)}`])
    expect([wrong, write(wrong).status]).toEqual([wrong, 400]);
});
