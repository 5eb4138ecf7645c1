// What the desk let in, among the content: ids that stay, addresses that do not meet, overrides,
// notices, and nothing that stops a release.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { getUndoable, undo } from '../../src/desk/decide.ts';
import { closeDeskNotice, recordNotice, toDeskNotice } from '../../src/desk/notices.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { recordOverride, withdrawEvent } from '../../src/desk/override.ts';
import { suggestSummary, toPreview } from '../../src/desk/preview.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import { toWhen } from '../../src/desk/to-when.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import { approve, publish, readDatasetWith } from '../fixtures/approved.ts';
import { ADDED, openFixtureInbox, sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { at, FRIDAY_NOON_MS as NOW_MS, readFixture } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const CANCEL = { editor: 'ana', action: 'cancel', reason: 'Llueve', now_ms: NOW_MS } as const;
const getEvent = (town: Dataset, id: string) => town.events.find((event) => event.id === id);
const listTimes = (town: Dataset, id: string) =>
  town.occurrences
    .filter((occurrence) => occurrence.event === id)
    .map(({ start, end, status }) => `${start.slice(0, 16)} ${end.slice(0, 16)} ${status}`);

describe('an approved submission', () => {
  test('is an event with its place, its people and its times, and nothing private', () => {
    const id = toSubmittedEventId(publish(opened.inbox));
    const town = readDatasetWith(opened.inbox);
    const event = getEvent(town, id);
    expect(event).toMatchObject({
      title: { es: 'Noche de prueba', en: 'Test night' },
      summary: { es: 'Una noche inventada.', en: 'A made-up night.' },
      source: 'organizer',
      category: 'live-music',
      slug: { es: 'noche-de-prueba', en: 'test-night' },
      price: { is_free: false, min: 150 },
      status: 'published',
      verified: false,
    });
    expect(town.venues.find((venue) => venue.id === event?.venue)).toMatchObject({
      name: 'Patio Inventado',
      address: 'Calle 1',
      locality: 'Cancún',
      zone: 'downtown',
    });
    expect(town.organizers.find((organizer) => organizer.id === event?.organizer)).toMatchObject({
      name: 'Quien Prueba',
      verified: false,
    });
    expect(listTimes(town, id)).toEqual([
      '2026-12-05T20:00 2026-12-06T01:00 scheduled',
      '2026-12-12T20:00 2026-12-13T01:00 scheduled',
    ]);
    expect(JSON.stringify(town)).not.toContain('privado@ejemplo.example');
  });
  test('whose hour nobody knows is an event that says so, and not all day', () => {
    const id = toSubmittedEventId(
      publish(opened.inbox, { hour: 'unknown', start: '2026-12-05', end: '2026-12-06', dates: [] }),
    );
    expect(readDatasetWith(opened.inbox).occurrences.filter(({ event }) => event === id)).toEqual([
      expect.objectContaining({
        start: '2026-12-05T00:00:00-05:00',
        end: '2026-12-07T00:00:00-05:00',
        time_known: false,
        end_known: false,
      }),
    ]);
  });
  test('is in English where it was sent in English, and says that an agent sent it', () => {
    const town = readDatasetWith(opened.inbox, undefined, undefined);
    expect(town.events).toHaveLength(readFixture().events.length);
    const id = toSubmittedEventId(
      publish(opened.inbox, { lang: 'en', title: 'Night', zone: 'isla-mujeres' }, ADDED, 'agent'),
    );
    const after = readDatasetWith(opened.inbox);
    expect(getEvent(after, id)).toMatchObject({
      title: { en: 'Night', es: 'Test night' },
      summary: { en: 'Una noche inventada.' },
      source: 'agent',
    });
    expect(after.venues.find((venue) => venue.name === 'Patio Inventado')?.locality).toBe(
      'Isla Mujeres',
    );
  });
  test('is refused without the other language, and by the schema of content for what a reviewer adds', () => {
    const { reference } = sendIn(opened.inbox);
    expect(() => approve(opened.inbox, reference, {})).toThrow(
      /other_title.*summary.*other_summary/,
    );
    expect(() => approve(opened.inbox, reference, { ...ADDED, lat: '21.1' })).toThrow(
      /both lat and lng/,
    );
    expect(() =>
      approve(opened.inbox, reference, { ...ADDED, lat: 'norte', lng: '-86.8' }),
    ).toThrow(/must be a number/);
    expect(() => approve(opened.inbox, reference, { ...ADDED, summary: 'x'.repeat(401) })).toThrow(
      /400/,
    );
    approve(opened.inbox, reference, { ...ADDED, lat: '21.16', lng: '-86.85' });
    expect(
      readDatasetWith(opened.inbox).venues.find((venue) => venue.name === 'Patio Inventado'),
    ).toMatchObject({ lat: 21.16, lng: -86.85 });
  });
  test('keeps its id and its occurrences through a correction', () => {
    const reference = publish(opened.inbox);
    const ledger = readDatasetWith(opened.inbox).ledger;
    opened.inbox
      .prepare(
        "update submissions set state = 'pending', revision = 2, record = ? where reference = ?",
      )
      .run(JSON.stringify({ ...SUBMISSION, title: 'Otro nombre' }), reference);
    approve(opened.inbox, reference);
    const town = readDatasetWith(opened.inbox, ledger, NOW_MS + 3_600_000);
    const id = toSubmittedEventId(reference);
    expect(getEvent(town, id)?.slug.es).toBe('otro-nombre');
    expect(town.slugs.find((slug) => slug.slug === 'noche-de-prueba')?.id).toBe(id);
    expect(
      town.occurrences
        .filter((occurrence) => occurrence.event === id)
        .map(({ sequence }) => sequence),
    ).toEqual([1, 1]);
  });
});

describe('names that meet', () => {
  test('content keeps its address, and of two submissions each has its own', () => {
    const references = [
      publish(opened.inbox, { title: '¡Fiesta de viernes!' }),
      publish(opened.inbox, { title: '¡Fiesta de viernes!', start: '2026-12-06T20:00' }),
    ].sort();
    const slugs = readDatasetWith(opened.inbox)
      .events.filter((event) => event.title.es === '¡Fiesta de viernes!')
      .map((event) => event.slug.es);
    expect(slugs).toHaveLength(
      2 + readFixture().events.filter((event) => event.title.es === '¡Fiesta de viernes!').length,
    );
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.some((slug) => slug.endsWith(references[1]?.toLowerCase() ?? '?'))).toBe(true);
  });
  test('an address that was published stays with its event, whatever else comes', () => {
    const first = publish(opened.inbox);
    const town = readDatasetWith(opened.inbox);
    publish(opened.inbox, { start: '2026-12-07T20:00' });
    const after = readDatasetWith(opened.inbox, town.ledger);
    expect(getEvent(after, toSubmittedEventId(first))?.slug.es).toBe('noche-de-prueba');
  });
  test('a name without a letter has its reference for an address', () => {
    const reference = publish(
      opened.inbox,
      { title: '🎺🎉🎺' },
      { ...ADDED, other_title: '🎺🎉🎺' },
    );
    expect(getEvent(readDatasetWith(opened.inbox), toSubmittedEventId(reference))?.slug).toEqual({
      es: reference.toLowerCase(),
      en: reference.toLowerCase(),
    });
  });
  test('a new place named twice is one, and so is who organizes', () => {
    publish(opened.inbox);
    publish(opened.inbox, {
      title: 'Otra',
      venue_name: 'PATIO INVENTADO',
      organizer: { name: 'quien prueba', url: null },
    });
    const town = readDatasetWith(opened.inbox);
    expect([
      town.venues.filter((venue) => /patio/i.test(venue.name)).length,
      town.organizers.filter(
        (organizer) => /prueba/i.test(organizer.name) && /quien/i.test(organizer.name),
      ).length,
    ]).toEqual([1, 1]);
  });
});

describe('what the desk says over an event', () => {
  const { events, occurrences } = readFixture();
  const event =
    events.find((one) =>
      occurrences.some((o) => o.event === one.id && o.start_ms > NOW_MS + 30 * 86_400_000),
    ) ?? events[0];
  const id = event?.id ?? '';
  const day =
    occurrences.find((o) => o.event === id && o.start_ms > NOW_MS)?.start.slice(0, 10) ?? '';

  test('cancels what is ahead and leaves the past; restoring brings it back', () => {
    recordOverride(opened.inbox, CANCEL, id, '', { status: 'cancelled' });
    const town = readDatasetWith(opened.inbox);
    expect(getEvent(town, id)?.status).toBe('cancelled');
    expect(
      town.occurrences
        .filter((o) => o.event === id)
        .every((o) => (o.status === 'cancelled') === o.end_ms > NOW_MS),
    ).toBe(true);
    recordOverride(opened.inbox, { ...CANCEL, action: 'restore' }, id, '', { status: 'published' });
    expect(getEvent(readDatasetWith(opened.inbox), id)?.status).toBe('published');
  });
  test('changes one day, with a note', () => {
    recordOverride(opened.inbox, CANCEL, id, day, {
      change: { date: day, status: 'postponed', note: { es: 'Por lluvia', en: 'Rain' } },
    });
    const changed = readDatasetWith(opened.inbox).occurrences.filter(
      (o) => o.event === id && o.status === 'postponed',
    );
    expect(changed.map((o) => [o.start.slice(0, 10), o.notes?.es])).toEqual([[day, 'Por lluvia']]);
    recordOverride(opened.inbox, CANCEL, id, day, { change: null });
    expect(
      readDatasetWith(opened.inbox).occurrences.filter(
        (o) => o.event === id && o.status === 'postponed',
      ),
    ).toEqual([]);
  });
  test('withdraws it: 410 by every name, nothing of it left', () => {
    recordOverride(opened.inbox, CANCEL, id, '', {
      status: 'withdrawn',
      date: '2026-11-20',
      reason: 'Por ley',
    });
    const town = readDatasetWith(opened.inbox, readFixture().ledger);
    expect([
      getEvent(town, id),
      town.withdrawn.some((slug) => slug.slug === id),
      town.withdrawn.some((slug) => slug.slug === event?.slug.es),
    ]).toEqual([undefined, true, true]);
  });
  test('is refused where the next release would leave it out', () => {
    expect(() => withdrawEvent(opened.inbox, ANA, id, 'Por ley. '.repeat(60))).toThrow(
      /^reason: at most 400/,
    );
    expect(() => withdrawEvent(opened.inbox, ANA, id, '\u200b \n')).toThrow(/^reason: say why/);
    const note = { es: 'Llueve. '.repeat(60), en: 'Rain' };
    expect(() =>
      recordOverride(opened.inbox, CANCEL, id, day, {
        change: { date: day, status: 'cancelled', note },
      }),
    ).toThrow(/^override: /);
    expect(readInboxRecords(opened.inbox)).toMatchObject({ overrides: [], left_out: [] });
    withdrawEvent(opened.inbox, ANA, id, 'Por ley');
    expect(getEvent(readDatasetWith(opened.inbox, readFixture().ledger), id)).toBeUndefined();
  });
  test('is passed over for an event or a day that is not there', () => {
    recordOverride(opened.inbox, CANCEL, 'ev_nothing', '', { status: 'cancelled' });
    recordOverride(opened.inbox, CANCEL, id, '2026-11-19', {
      change: { date: '2031-01-01', status: 'cancelled' },
    });
    expect(readDatasetWith(opened.inbox).events).toEqual(readFixture().events);
  });
});

test('a row that no schema takes is left out and named, and the rest is published', () => {
  const reference = publish(opened.inbox);
  opened.inbox.prepare("insert into publications values ('HC-BROKEN', '{\"event\":{}}')").run();
  opened.inbox
    .prepare(
      "insert into submissions (reference, digest, token_hash, received_at, channel, state, record) values ('HC-BROKEN', 'x', 'x', 'x', 'form', 'approved', '{}')",
    )
    .run();
  opened.inbox
    .prepare("insert into overrides values ('ev_x', '', '{\"status\":\"exploded\"}')")
    .run();
  const { left_out } = readInboxRecords(opened.inbox);
  expect(left_out.map((line) => line.split(' ')[0])).toEqual(['HC-BROKEN', 'ev_x']);
  expect(getEvent(readDatasetWith(opened.inbox), toSubmittedEventId(reference))).toBeDefined();
});

test('a known place that content does not have any more does not stop a release', () => {
  const reference = publish(opened.inbox, { venue: 've_gone456789' });
  expect(getEvent(readDatasetWith(opened.inbox), toSubmittedEventId(reference))?.venue).toBeNull();
});

test('an approval is undone until a release has shown it', () => {
  publish(opened.inbox);
  undo(opened.inbox, getUndoable(opened.inbox)?.id ?? 0, ANA);
  expect(readDatasetWith(opened.inbox).events).toHaveLength(readFixture().events.length);
  publish(opened.inbox, { title: 'Otra noche' });
  writeLedger(opened.inbox, readDatasetWith(opened.inbox).ledger);
  expect(() => undo(opened.inbox, getUndoable(opened.inbox)?.id ?? 0, ANA)).toThrow(/^undo: /);
});

describe('when', () => {
  test.each([
    ['2026-12-05T20:00', null, false, { start: '20:00', days: 1 }],
    ['2026-12-05T20:00', '2026-12-05T23:00', false, { start: '20:00', end: '23:00', days: 1 }],
    ['2026-12-05T20:00', '2026-12-06T03:00', false, { start: '20:00', end: '03:00', days: 1 }],
    ['2026-12-05T20:00', '2026-12-06T20:00', false, { start: '20:00', end: '20:00', days: 1 }],
    ['2026-12-05T10:00', '2026-12-06T18:00', false, { start: '10:00', end: '18:00', days: 2 }],
    ['2026-12-05', '2026-12-07', true, { days: 3 }],
    ['2026-12-05', null, true, { days: 1 }],
  ])('%s to %s', (start, end, all_day, expected) => {
    expect(toWhen({ start, end, all_day, dates: [] })).toEqual({
      dates: ['2026-12-05'],
      except: [],
      ...expected,
    });
  });
  test.each([
    [null, 1],
    ['2026-12-07', 3],
  ])('2026-12-05 to %s at an hour nobody knows', (end, days) => {
    const moments = { start: '2026-12-05', end, all_day: false, hour: 'unknown' } as const;
    expect(toWhen({ ...moments, dates: ['2026-12-12'] })).toEqual({
      dates: ['2026-12-05', '2026-12-12'],
      except: [],
      hour: 'unknown',
      days,
    });
  });
});

describe('a notice of the desk', () => {
  const FIELDS = {
    type: 'weather',
    severity: 'alert',
    title_es: 'Bandera negra',
    title_en: 'Black flag',
    body_es: 'No nadar.',
    body_en: 'No swimming.',
  };
  const show = (now_ms: number) =>
    readDatasetWith(opened.inbox, undefined, now_ms).notices.find(
      (notice) => notice.title.es === 'Bandera negra',
    );
  test('begins now, stays open, and ends when it is closed', () => {
    const { notice } = toDeskNotice(FIELDS, NOW_MS);
    if (notice === null) throw new Error('refused');
    recordNotice(opened.inbox, CANCEL, 'n1', notice);
    expect(show(NOW_MS)).toMatchObject({ start_ms: NOW_MS, end_ms: null, severity: 'alert' });
    for (const [later, expected] of [
      ['2026-11-20T12:01', '2026-11-20T12:01'],
      ['2026-11-21T09:00', '2026-11-21T09:00'],
      ['2026-11-22T15:00', '2026-11-22T15:00'],
    ] as const) {
      recordNotice(opened.inbox, CANCEL, 'n1', closeDeskNotice(notice, at(`${later}:00`)));
      expect(show(NOW_MS)?.end_ms).toBe(at(`${expected}:00`));
    }
    expect(closeDeskNotice(notice, NOW_MS)).toBeNull();
  });
  test('is confirmed by being written, whenever it begins', () => {
    const { notice } = toDeskNotice({ ...FIELDS, start_date: '2027-03-01' }, NOW_MS);
    recordNotice(opened.inbox, CANCEL, 'n1', notice);
    expect(show(NOW_MS)).toMatchObject({ severity: 'alert', inferred: false, season: false });
  });
  test.each([
    [{ title_en: '' }, 'title_en'],
    [{ body_es: ' ' }, 'body_es'],
    [{ type: 'war' }, 'type'],
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ end_date: '2026-11-19' }, 'end_date'],
    [{ start_time: '25:00' }, 'start_time'],
    [{ source_url: 'javascript:alert(1)' }, 'source_url'],
  ])('%j is refused at %s', (changed, field) => {
    expect(
      toDeskNotice({ ...FIELDS, ...changed }, NOW_MS).issues.map((issue) => issue.field),
    ).toContain(field);
  });
});

test('the preview says what the release will say', () => {
  const reference = publish(opened.inbox);
  const town = readDatasetWith(opened.inbox);
  const known = {
    taxonomy: town.taxonomy,
    findVenue: () => null,
    getVenue: () => null,
    getOrganizer: () => null,
    listOrganizers: () => [],
  };
  const detail = toPreview(SUBMISSION, ADDED, known, {
    reference,
    channel: 'form',
    now_ms: NOW_MS,
  });
  const event = getEvent(town, toSubmittedEventId(reference));
  expect({
    ...detail?.event,
    id: event?.id,
    slug: event?.slug,
    venue: event?.venue,
    organizer: event?.organizer,
  }).toEqual(event);
  expect([detail?.venue?.name, detail?.organizer?.name, detail?.occurrences.length]).toEqual([
    'Patio Inventado',
    'Quien Prueba',
    2,
  ]);
});

test('a summary is suggested from whole sentences', () => {
  expect(suggestSummary('Uno. Dos.\n\nTres.')).toBe('Uno. Dos.');
  expect(suggestSummary(`Corta. ${'larga '.repeat(60)}`)).toBe('Corta.');
  expect(suggestSummary('palabra '.repeat(60))).toMatch(/^palabra( palabra)*…$/);
});
