// Dataset build: tests which facts an event takes from its venue, and how the ledger survives changes of content.
import { describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { eventYaml, venueYaml, useContentFolder } from '../fixtures/content-folder.ts';
import { localMs } from '../fixtures/fixture.ts';

const content = useContentFolder({ is_empty: true });
const { read } = content;
type Fields = Parameters<typeof eventYaml>[0];
const writeTalk = (fields: Fields = {}): void =>
  content.write('events/charla.yml', eventYaml(fields));
const eventOf = (town: Dataset, slug = 'charla') => {
  const event = town.events.find((event) => event.slug.es === slug);
  return { event, occurrences: town.occurrences.filter((date) => date.event === event?.id) };
};

test.each([
  ['true', undefined, true],
  ['true', 'false', false],
  [null, undefined, null],
  [null, 'true', true],
])(
  'at a venue with indoor %s, an event with indoor %j gets indoor %s',
  (venue, indoor, is_indoor) => {
    content.write('venues/salon.yml', venueYaml({ indoor: venue ?? undefined }));
    writeTalk({ venue: 'salon', indoor });
    expect(eventOf(read()).event?.indoor).toBe(is_indoor);
  },
);

describe('the ledger', () => {
  const FIRST = '2026-11-20T12:00:00-05:00';
  const LATER = '2026-11-21T06:00:00-05:00';
  const LATER_MS = Date.parse(LATER);
  const toDates = (days: string): string => `[{ dates: [${days}], start: "18:00", end: "20:00" }]`;

  test('keeps updated_at and SEQUENCE after a change of editor note, highlight or motif', () => {
    writeTalk();
    const first = read();
    const featured = '{ why: { es: La única del año, en: The only one this year } }';
    writeTalk({ editor_note: 'Llamar.', featured, motif: 'ola' });
    const second = read(first.ledger, LATER_MS);
    const changed = { featured: { why: { es: 'La única del año' }, dates: [] }, motif: 'ola' };
    expect(eventOf(second).event).toMatchObject({ updated_at: FIRST, ...changed });
    expect(eventOf(second).occurrences).toEqual(eventOf(first).occurrences);
  });
  test('renews them only for the event and the occurrence that changed', () => {
    const when = toDates('2026-12-01, 2026-12-08');
    content.write('events/otra.yml', eventYaml({ title: '{ es: Otra, en: Other }' }));
    writeTalk({ when });
    const first = read();
    writeTalk({ when, changes: '[{ date: 2026-12-08, status: cancelled }]' });
    const second = read(first.ledger, LATER_MS);
    const { event, occurrences } = eventOf(second);
    expect(event?.updated_at).toBe(LATER);
    expect(occurrences.map((o) => [o.status, o.sequence, o.updated_at])).toEqual([
      ['scheduled', 0, FIRST],
      ['cancelled', 1, LATER],
    ]);
    expect(eventOf(second, 'otra').event?.updated_at).toBe(FIRST);
  });
  test('recognizes an occurrence that moved within its day, next to a new one', () => {
    const listOccurrences = (town: Dataset) =>
      eventOf(town).occurrences.map(
        ({ id, start, sequence }) => `${id.split('-')[1]} ${start.slice(11, 16)} ${sequence}`,
      );
    const readAt = (hours: readonly string[], ledger?: Dataset['ledger']) => {
      const rules = hours.map((hour) => `{ dates: [2026-12-01], start: "${hour}" }`);
      writeTalk({ when: `[${rules.join(', ')}]` });
      return read(ledger, LATER_MS);
    };
    const first = readAt(['18:30']);
    const second = readAt(['19:00', '19:30'], first.ledger);
    const last = readAt(['19:00', '19:30'], second.ledger);
    const both = ['20261201T1830 19:00 1', '20261201T1930 19:30 0'];
    expect([first, second, last].map(listOccurrences)).toEqual([
      ['20261201T1830 18:30 0'],
      both,
      both,
    ]);
  });
  test('keeps a former slug after a new title or without the file, and rejects it for another event', () => {
    writeTalk();
    const first = read();
    writeTalk({ title: '{ es: Conferencia, en: Lecture }' });
    const second = read(first.ledger, LATER_MS);
    const { event } = eventOf(first);
    expect(eventOf(second, 'conferencia').event?.id).toBe(event?.id);
    expect(second.slugs.find(({ slug }) => slug === 'charla')?.id).toBe(event?.id);
    content.write('events/otra.yml', eventYaml());
    expect(() => read(first.ledger, LATER_MS)).toThrow(
      /events\/otra\.yml:1 slug: 'charla' was published for ev_/,
    );
    // A slug without a file answers 410.
    content.remove('events/otra.yml');
    content.remove('events/charla.yml');
    expect(read(first.ledger, LATER_MS).withdrawn.map(({ slug }) => slug)).toContain('charla');
  });
  test('cancels only occurrences that had not ended when the event was cancelled, in later releases too', () => {
    const when = toDates('2026-11-19, 2026-12-01');
    writeTalk({ when });
    const first = read();
    writeTalk({ when, status: 'cancelled' });
    const second = read(first.ledger, LATER_MS);
    const third = read(second.ledger, localMs('2027-06-01T06:00:00'));
    const { occurrences } = eventOf(second);
    expect(occurrences.map(({ status }) => status)).toEqual(['scheduled', 'cancelled']);
    expect(eventOf(third).occurrences).toEqual(occurrences);
  });
});

test.each([
  ['skips rest days', '', {}, '20 27 04 11 18 08'],
  ['skips days on which its venue is closed', '', { venue: 'casa' }, '20 27 04 11 08'],
  ['with term skips school breaks', ', term: true', {}, '20 27 04 11 08'],
])('a weekly rule %s', (_, more, fields, fridays) => {
  const hours = '{ rules: [{ days: [fr] }], exceptions: [{ date: 2026-12-18 }] }';
  content.write('venues/casa.yml', venueYaml({ hours }));
  const term = `first: 2026-08-31, last: 2027-07-15, sources: [{ checked: 2026-11-20 }]`;
  const terms = `terms: [{ ${term}, breaks: [{ first: 2026-12-14, last: 2027-01-04 }] }]`;
  content.replace('calendar.yml', 'links:', `${terms}\nlinks:`);
  const rule = `rrule: FREQ=WEEKLY;BYDAY=FR, since: 2026-11-20, until: 2027-01-08${more}`;
  const { occurrences } = content.readEvent({ when: `[{ ${rule} }]`, ...fields });
  expect(occurrences.map(({ start }) => start.slice(8, 10)).join(' ')).toBe(fridays);
});
