// Markdown by golden files, and read back: what strangers wrote is text and nothing else.
import type { Nodes, Root } from 'mdast';
import { toString as toPlain } from 'mdast-util-to-string';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import { type AgendaKind, resolveAgendaWord } from '../../src/domain/agenda-words.ts';
import { toAgendaFacts } from '../../src/domain/day/day-facts.ts';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import type { Lang } from '../../src/domain/lang.ts';
import { toVenueDay } from '../../src/domain/venue-day.ts';
import { toAgendaMarkdown } from '../../src/serializers/markdown/agenda.ts';
import { toEventMarkdown } from '../../src/serializers/markdown/event.ts';
import { toNoticesMarkdown } from '../../src/serializers/markdown/notices.ts';
import { toOrganizerMarkdown } from '../../src/serializers/markdown/organizer.ts';
import { toVenueMarkdown } from '../../src/serializers/markdown/venue.ts';
import { toLine } from '../../src/serializers/plain-text.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import { getEvent, getOrganizer, getVenue } from '../../src/snapshot/get-thing.ts';
import type { Snapshot } from '../../src/snapshot/open.ts';
import { readAgenda, readNoticeBoard } from '../../src/snapshot/agenda.ts';
import { openMadeUpTown } from '../fixtures/made-up-town.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const parse = (markdown: string): Root => remark().use(remarkGfm).parse(markdown);
const listNodes = (node: Nodes): Nodes[] => [
  node,
  ...('children' in node ? node.children.flatMap((child) => listNodes(child)) : []),
];

function agendaOf(
  snapshot: Snapshot,
  kind: AgendaKind,
  lang: Lang,
  earlier: readonly OccurrenceRecord[] = [],
): string {
  const range = resolveAgendaWord(kind, FRIDAY) ?? { from: FRIDAY, to: FRIDAY };
  const occurrences = findOccurrences(snapshot, {
    ...toOpenFilter(FRIDAY_NOON_MS, 1000),
    range,
  }).items.map((item) => item.occurrence);
  return toAgendaMarkdown(
    readAgenda(snapshot, range, FRIDAY_NOON_MS, lang),
    lang,
    SITE,
    kind,
    snapshot.taxonomy.zones,
    [...earlier, ...occurrences],
    toAgendaFacts(kind, range.from, snapshot.calendar),
  );
}

function eventOf(snapshot: Snapshot, slug: string) {
  const detail = getEvent(snapshot, slug, FRIDAY_NOON_MS);
  if (detail === null || detail === 'gone') throw new Error(`${slug} is not there`);
  return detail;
}

describe('the small town', () => {
  const { snapshot, close } = openFixture();
  afterAll(close);

  test.each([
    ['today', 'es'],
    ['tomorrow', 'es'],
    ['weekend', 'en'],
    ['week', 'es'],
    ['day', 'en'],
  ] as const)('%s in %s reads as written', async (kind, lang) => {
    await expect(agendaOf(snapshot, kind, lang)).toMatchFileSnapshot(
      `golden/agenda-${kind}.${lang}.md`,
    );
  });

  test('a date that has been is no further one, a canceled one is said', () => {
    const { next } = eventOf(snapshot, 'feria-diaria');
    if (!next) throw new Error('There is no fair');
    const hours = { start_ms: next.start_ms - 7_200_000, end_ms: next.start_ms - 3_600_000 };
    const been = { ...next, id: `${next.id}a`, ...hours };
    const told = agendaOf(snapshot, 'weekend', 'en');
    expect(agendaOf(snapshot, 'weekend', 'en', [been])).toBe(told);
    expect(told).toContain('also Sat, Nov 21 (Canceled)');
  });

  test.each([
    ['concierto-unico-a-b', 'es'],
    ['feria-diaria', 'en'],
    ['exposicion-larga', 'es'],
    ['obra-pospuesta', 'es'],
    ['taller-pasado', 'en'],
  ] as const)('event %s in %s reads as written', async (slug, lang) => {
    await expect(
      toEventMarkdown(eventOf(snapshot, slug), lang, SITE, FRIDAY_NOON_MS),
    ).toMatchFileSnapshot(`golden/event-${slug}.${lang}.md`);
  });

  test('a venue and an organizer read as written', async () => {
    const [venue, organizer] = [
      getVenue(snapshot, 'malecon-inventado'),
      getOrganizer(snapshot, 'colectivo-de-prueba'),
    ];
    if (!venue || !organizer) throw new Error('the fixture lacks them');
    const open = toOpenFilter(FRIDAY_NOON_MS, 50);
    const at_venue = findEvents(snapshot, { ...open, venue }, 'es').cards;
    await expect(
      toVenueMarkdown(
        venue,
        toVenueDay(venue, FRIDAY, []),
        at_venue,
        snapshot.taxonomy,
        'es',
        SITE,
      ),
    ).toMatchFileSnapshot('golden/venue.es.md');
    const of_organizer = findEvents(snapshot, { ...open, organizer }, 'en').cards;
    await expect(toOrganizerMarkdown(organizer, of_organizer, 'en', SITE)).toMatchFileSnapshot(
      'golden/organizer.en.md',
    );
  });

  test.each([
    ['2026-11-20', 'es'],
    ['2025-01-01', 'en'],
  ] as const)('the notices of %s in %s read as written', async (day, lang) => {
    const board = readNoticeBoard(snapshot, Temporal.PlainDate.from(day));
    await expect(toNoticesMarkdown(board, lang, SITE, snapshot.taxonomy.zones)).toMatchFileSnapshot(
      `golden/notices-${day}.${lang}.md`,
    );
  });

  test('a day without events says so', () => {
    const agenda = {
      from: FRIDAY,
      to: FRIDAY,
      events: [],
      notices: [],
      open_places: [],
      still_on: [],
    };
    expect(toAgendaMarkdown(agenda, 'es', SITE, 'day', snapshot.taxonomy.zones)).toContain(
      'No hay eventos publicados',
    );
  });
});

describe('hostile words', () => {
  const { snapshot, close } = openMadeUpTown(210);
  afterAll(close);
  const open = toOpenFilter(FRIDAY_NOON_MS, 200);
  const { cards } = findEvents(
    snapshot,
    { ...open, range: { from: FRIDAY.subtract({ days: 40 }), to: FRIDAY.add({ days: 51 }) } },
    'es',
  );

  test('never become HTML, code, images, tables, quotes or links of their own', () => {
    for (const { event } of cards) {
      const tree = parse(toEventMarkdown(eventOf(snapshot, event.id), 'es', SITE, FRIDAY_NOON_MS));
      // The last line is our own: how to go on from here.
      expect(tree.children.pop()).toMatchObject({
        children: [{ value: 'Otro día: ' }, { type: 'inlineCode' }, {}, {}, {}, {}, {}, {}],
      });
      const found = listNodes(tree);
      const kinds = new Set(found.map((node) => node.type));
      for (const kind of [
        'html',
        'code',
        'inlineCode',
        'image',
        'table',
        'delete',
        'definition',
        'thematicBreak',
        'yaml',
        'footnoteReference',
      ] as const) {
        expect(kinds, `${kind} in ${event.title.es}`).not.toContain(kind);
      }
      expect(found.filter((node) => node.type === 'blockquote')).toHaveLength(1);
      expect(found.filter((node) => node.type === 'heading' && node.depth === 1)).toHaveLength(1);
      const hosts = found.flatMap((node) => (node.type === 'link' ? [new URL(node.url).host] : []));
      const own = new Set([
        new URL(SITE.url).host,
        'www.google.com',
        ...[event.ticket_url, event.registration_url, event.source_url].flatMap((url) =>
          url ? [new URL(url).host] : [],
        ),
      ]);
      expect(
        hosts.filter((host) => !own.has(host)),
        event.title.es,
      ).toEqual([]);
    }
  });

  test('come back as they were said', () => {
    for (const { event } of cards) {
      const tree = parse(toEventMarkdown(eventOf(snapshot, event.id), 'es', SITE, FRIDAY_NOON_MS));
      const title = tree.children.find((node) => node.type === 'heading' && node.depth === 1);
      expect(title && toPlain(title)).toBe(toLine(event.title.es));
      expect(tree.children.map((node) => toPlain(node))).toContain(toLine(event.summary.es));
    }
  });

  test('keep the agenda in its form: one heading and one list an event', () => {
    const tree = parse(
      toAgendaMarkdown(
        {
          from: FRIDAY,
          to: FRIDAY,
          events: cards,
          notices: [],
          open_places: [],
          still_on: [],
        },
        'es',
        SITE,
        'day',
        snapshot.taxonomy.zones,
      ),
    );
    const headings = tree.children.filter((node) => node.type === 'heading' && node.depth === 3);
    expect(headings.map((node) => toPlain(node))).toEqual(
      cards.map((card) => toLine(card.event.title.es)),
    );
    expect(tree.children.filter((node) => node.type === 'list')).toHaveLength(cards.length);
  });
});
