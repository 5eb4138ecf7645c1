// Markdown documents: golden files, and parsed output in which senders' text is never markup.
import type { Nodes, Root } from 'mdast';
import { toString as toPlain } from 'mdast-util-to-string';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { tPlural } from '../../src/i18n/translate.ts';
import { cleanLineText } from '../../src/serializers/sanitize-text.ts';
import {
  loadAgendaPage,
  buildAgendaView,
  renderAgendaMarkdown,
} from '../../src/site/agenda-page.ts';
import { MAX_LISTED_DATES } from '../../src/site/event-page.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { findEvents } from '../../src/snapshot/find-events.ts';
import { getEvent } from '../../src/snapshot/get-record.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { openPageContext, SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';

const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const state = openPageContext();

test('the event and its list of dates count the upcoming dates alike', async () => {
  const detail = getEvent(state.snapshot, 'feria-diaria', FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error('There is no fair');
  const ahead = detail.occurrences.filter(({ end_ms }) => end_ms > FRIDAY_NOON_MS).length;
  const read = (path: string) => createMarkdownResponse(state, path).text();
  const dates = await read('/eventos/feria-diaria/fechas');
  expect(dates).toContain(tPlural('es', 'dates.count', ahead));
  expect(dates).toContain(tPlural('es', 'dates.left_out', ahead - MAX_LISTED_DATES));
  const fair = await read('/eventos/feria-diaria');
  expect(fair).toContain(tPlural('es', 'dates.all', ahead));
  // Shared details appear once; a cancelled date has its own line.
  expect(fair).toMatch(/^vie 20 nov 2026; (?!sáb 21).*; mié 2 dic: de 10:00 a 14:00$/m);
  expect(fair).toMatch(/^- sábado 21 .* \(Cancelado\): Cancelada por lluvia\.?$/m);
});

test('today’s agenda matches its golden file', async () => {
  const text = await createMarkdownResponse(state, '/hoy').text();
  await expect(text).toMatchFileSnapshot('golden/agenda-today.es.md');
});

describe('hostile text', () => {
  const { snapshot } = useFixture(loadGeneratedTown(120));
  const days = { from: FRIDAY.subtract({ days: 40 }), to: FRIDAY.add({ days: 51 }) };
  const filter = { ...unfilteredEventFilter(FRIDAY_NOON_MS, 200), range: days };
  const { cards } = findEvents(snapshot, filter, 'es');
  const parse = (markdown: string): Root => remark().use(remarkGfm).parse(markdown);
  const readEvent = async (slug: string): Promise<Root> =>
    parse(await createMarkdownResponse({ ...state, snapshot }, `/eventos/${slug}`).text());
  const listNodes = (node: Nodes): Nodes[] => [
    node,
    ...('children' in node ? node.children.flatMap((child) => listNodes(child)) : []),
  ];
  const NEVER = [
    ...['html', 'code', 'inlineCode', 'image', 'table', 'delete', 'definition'],
    ...['thematicBreak', 'yaml', 'footnoteReference'],
  ];

  test('never becomes HTML, code, images, tables, quotes or links', async () => {
    for (const { event } of cards) {
      const tree = await readEvent(event.slug.es);
      // The last line is the footer of every document.
      expect(tree.children.pop()).toMatchObject({
        children: [{ value: 'Otro día: ' }, { type: 'inlineCode' }, {}, {}, {}, {}, {}, {}],
      });
      // The text is unchanged.
      const words = tree.children.map((node) => toPlain(node));
      expect(words[0]).toBe(cleanLineText(event.title.es));
      expect(words).toContain(cleanLineText(event.summary.es));
      const nodes = listNodes(tree);
      const kinds = nodes.map(({ type }) => type);
      expect(kinds.filter((type) => NEVER.includes(type))).toEqual([]);
      expect(kinds.filter((type) => type === 'blockquote')).toHaveLength(1);
      expect(nodes.filter((node) => node.type === 'heading' && node.depth === 1)).toHaveLength(1);
      const { ticket_url, registration_url, source_url } = event;
      const own = [SITE.url, 'https://www.google.com', ticket_url, registration_url, source_url];
      const hosts = own.flatMap((url) => (url ? [new URL(url).host] : []));
      const links = nodes.flatMap((node) => (node.type === 'link' ? [new URL(node.url)] : []));
      const strange = links.filter(({ host }) => !hosts.includes(host));
      expect(strange, event.title.es).toEqual([]);
    }
  });

  test('keeps the structure of the agenda: one heading and one list per event', () => {
    const answer = loadAgendaPage(state, { lang: 'es', date: '2026-11-21' }, '');
    if (answer.kind !== 'page') throw new Error('The day has no page');
    const { page } = answer;
    const agenda = { ...page.agenda, events: cards, notices: [], open_places: [], still_on: [] };
    const view = buildAgendaView({ ...page, agenda, facts: null, occurrences: [] });
    const { children } = parse(renderAgendaMarkdown({ ...view, quick_sections: [] }));
    const headings = children.filter((node) => node.type === 'heading' && node.depth === 3);
    const titles = cards.map((card) => cleanLineText(card.event.title.es));
    expect(headings.map((node) => toPlain(node)).sort()).toEqual(titles.sort());
    expect(children.filter((node) => node.type === 'list')).toHaveLength(cards.length);
  });
});
