// Saved page: orders events by date, folds past ones and counts missing ones.
import { expect, test } from 'vitest';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { savedPage } from '../../src/site/saved-page.ts';
import type { SavedView } from '../../src/site/saved-page.ts';
import { openPageContext, SITE } from '../fixtures/site.ts';

const state = openPageContext();
const idOf = (slug: string): string =>
  state.snapshot.index.cards.find(({ event }) => event.slug.es === slug)?.event.id ?? slug;
const SLUGS = ['taller-pasado', 'carnaval-inventado', 'obra-pospuesta', 'feria-diaria'];
const IDS = [...SLUGS, 'concierto-unico-a-b', 'exposicion-larga'].map(idOf);

async function loadView(ids: readonly string[]): Promise<SavedView> {
  const page = savedPage.routes[0]?.match('');
  const outcome = await page?.handle(state, `ids=${ids.join(',')}`, null);
  if (outcome?.kind !== 'page') throw new Error(`${outcome?.kind}`);
  return JSON.parse(JSON.stringify(outcome.page));
}
const renderMarkdown = (query: string): Response =>
  createMarkdownResponse(state, '/guardados', query);

test('the saved page lists each event once: weekend first, then by next date, past ones folded', async () => {
  const { lists, tally, missing } = await loadView(IDS);
  const slugsOf = ({ rows }: (typeof lists)[number]) =>
    rows.map(({ path }) => path.replace('/eventos/', '')).join(' ');
  const rows = lists.map((list) => [list.key, list.fold ?? '', slugsOf(list)]);
  expect(rows).toEqual([
    ['weekend', '', 'feria-diaria concierto-unico-a-b'],
    ['m2026-11', '', 'obra-pospuesta'],
    ['m2027-02', '', 'carnaval-inventado'],
    ['begun', '', 'exposicion-larga'],
    ['past', 'closed', 'taller-pasado'],
  ]);
  expect([tally, missing]).toEqual([{ tally: '6 eventos' }, null]);
  expect(lists[0]?.rows[0]?.note).toBe(
    'Cancelado: sáb 21 nov, de 10:00 a 14:00 (Cancelada por lluvia)',
  );
});

test('the saved page counts missing events and shares the others', async () => {
  const [first = ''] = IDS;
  const { all_ids, missing, share, meta } = await loadView([first, 'ev_retired', first, '<b>']);
  expect(missing?.text).toBe('Un evento ya no está en la agenda.');
  expect(all_ids).toEqual([first, 'ev_retired']);
  expect(share?.url).toBe(`${SITE.url}/guardados?ids=${first}`);
  expect(meta.query?.en).toBe(`?ids=${first},ev_retired`);
});

test('the empty saved page explains how to save an event', async () => {
  const { lists, empty_message, share, all_ids } = await loadView([]);
  expect([lists, share, all_ids]).toEqual([[], null, null]);
  expect(empty_message).toContain('Guardar');
});

test('the Markdown version has the lists of the page, and rejects invalid ids', async () => {
  const text = await renderMarkdown(`ids=${IDS.join(',')},ev_gone`).text();
  const headings = text.match(/^## .*/gm);
  expect(headings?.at(0)).toBe('## Mi fin de semana');
  expect(headings?.at(-1)).toBe('## Ya pasaron');
  expect(text.match(/^### .*/gm)).toHaveLength(IDS.length);
  expect(text).toContain('Un evento ya no está en la agenda.');
  for (const invalid of ['ids=hola', `ids=${Array.from({ length: 61 }, (_, at) => `ev_${at}`)}`])
    expect([invalid, renderMarkdown(invalid).status]).toEqual([invalid, 400]);
});
