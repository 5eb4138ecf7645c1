// What the desk let in, among the content: ids that stay, addresses that do not meet, and nothing that
// stops a release.
import { correct } from '../../src/desk/propose.ts';
import { insertChange } from '../../src/inbox/changes.ts';
import { suggestSummary, toPreview, listWhens, toWhen } from '../../src/desk/publication.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { toSubmittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import type { Ledger } from '../../src/domain/ledger.ts';
import { approve, publish, readDatasetWith } from '../fixtures/approved.ts';
import type { Additions } from '../../src/domain/submission/additions.ts';
import { ADDED, openFixtureInbox, sendIn, SUBMISSION, undoNewest } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS, readFixture } from '../fixtures/fixture.ts';

let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
beforeEach(async () => {
  opened = await openFixtureInbox();
});
afterEach(() => opened.close());

type PublishArguments = Parameters<typeof publish> extends [unknown, ...infer Rest] ? Rest : never;

const ANA = { editor: 'ana', now_ms: NOW_MS };
const getEvent = (town: Dataset, id: string) => town.events.find((event) => event.id === id);
const read = (ledger?: Ledger, now_ms?: number): Promise<Dataset> =>
  readDatasetWith(opened.inbox, ledger, now_ms);
/** The event of what was approved, and the town that it is in. */
async function readPublished(...of: PublishArguments) {
  const id = toSubmittedEventId(await publish(opened.inbox, ...of));
  const town = await read();
  const event = getEvent(town, id);
  if (event === undefined) throw new Error('it is not there');
  return { id, town, event };
}
const listTimes = (town: Dataset, id: string) =>
  town.occurrences
    .filter((occurrence) => occurrence.event === id)
    .map(({ start, end, status }) => `${start.slice(0, 16)} ${end.slice(0, 16)} ${status}`);

describe('an approved submission', () => {
  test('is an event with its place, its people and its times, and nothing private', async () => {
    const { id, town, event } = await readPublished();
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
    expect(town.venues.find((venue) => venue.id === event.venue)).toMatchObject({
      name: 'Patio Inventado',
      address: 'Calle 1',
      locality: 'Cancún',
      zone: 'downtown',
    });
    expect(town.organizers.find((organizer) => organizer.id === event.organizer)).toMatchObject({
      name: 'Quien Prueba',
      verified: false,
    });
    expect(listTimes(town, id)).toEqual([
      '2026-12-05T20:00 2026-12-06T01:00 scheduled',
      '2026-12-12T20:00 2026-12-13T01:00 scheduled',
    ]);
    expect(JSON.stringify(town)).not.toContain('privado@ejemplo.example');
  });
  test('whose hour nobody knows is an event that says so, and not all day', async () => {
    const days = { start: '2026-12-05', end: '2026-12-06', dates: [] };
    const { id, town } = await readPublished({ hour: 'unknown', ...days });
    expect(town.occurrences.filter(({ event }) => event === id)).toEqual([
      expect.objectContaining({
        start: '2026-12-05T00:00:00-05:00',
        end: '2026-12-07T00:00:00-05:00',
        time_known: false,
        end_known: false,
      }),
    ]);
  });
  test('without a known end says so, and one that is only online has no venue', async () => {
    const place = { venue_name: 'online', venue_address: null, zone: null };
    const link = { registration_url: 'https://registro.example/a' };
    const { town, event } = await readPublished({ open_end: true, ...place, ...link });
    expect(event).toMatchObject({
      open_end: true,
      venue: null,
      zone: null,
      location_note: { es: 'En línea', en: 'Online' },
    });
    expect(town.venues).toHaveLength(readFixture().venues.length);
  });
  test('is in English where it was sent in English, and says that an agent sent it', async () => {
    const fields = { lang: 'en', title: 'Night', zone: 'isla-mujeres' } as const;
    const { town, event } = await readPublished(fields, ADDED, 'agent');
    expect(event).toMatchObject({
      title: { en: 'Night', es: 'Test night' },
      summary: { en: 'Una noche inventada.' },
      source: 'agent',
    });
    const { venues } = town;
    expect(venues.find(({ id }) => id === event.venue)?.locality).toBe('Isla Mujeres');
  });
  test('without the other language is the original in both, and says which one that is', async () => {
    const { other_summary, ...without } = ADDED;
    const whole = { ...ADDED, other_description: 'A made-up night for the tests.' };
    const publishAs = async (added: Additions) =>
      (await readPublished({ title: `Noche ${added.summary}` }, added)).event;
    const [none, name, text, all] = [
      await publishAs({ summary: 'Una.' }),
      await publishAs({ ...without, summary: 'Dos.' }),
      await publishAs({ ...ADDED, summary: 'Tres.', other_summary }),
      await publishAs({ ...whole, summary: 'Cuatro.' }),
    ];
    expect(none).toMatchObject({
      title: { es: 'Noche Una.', en: 'Noche Una.' },
      summary: { es: 'Una.', en: 'Una.' },
      description: { es: SUBMISSION.description, en: SUBMISSION.description },
    });
    expect([none, name, text, all].map((event) => event.originals)).toEqual([
      { title: 'es', summary: 'es', description: 'es' },
      { title: null, summary: 'es', description: 'es' },
      { title: null, summary: null, description: 'es' },
      null,
    ]);
  });
  test('is refused without a summary, with one under a title that is in the other language, and by the schema of content for what a reviewer adds', async () => {
    const { reference } = await sendIn(opened.inbox);
    const approveWith = (added: Additions) => () => approve(opened.inbox, reference, added);
    for (const [added, message] of [
      [{ other_summary: 'A night.' }, /other_title.*summary/],
      [{ ...ADDED, lat: '21.1' }, /both lat and lng/],
      [{ ...ADDED, lat: 'norte', lng: '-86.8' }, /must be a number/],
      [{ ...ADDED, summary: 'x'.repeat(401) }, /400/],
    ] as const)
      await expect(approveWith(added)).rejects.toThrow(message);
    await approveWith({ ...ADDED, lat: '21.16', lng: '-86.85' })();
    const place = (await read()).venues.find(({ name }) => name === 'Patio Inventado');
    expect(place).toMatchObject({ lat: 21.16, lng: -86.85 });
  });
  test('keeps its id and its occurrences through a correction', async () => {
    const reference = await publish(opened.inbox);
    const { ledger } = await read();
    const submission = { ...SUBMISSION, title: 'Otro nombre' };
    await correct(opened.inbox, { reference, now_ms: NOW_MS, submission });
    await approve(opened.inbox, reference);
    const town = await read(ledger, NOW_MS + 3_600_000);
    const id = toSubmittedEventId(reference);
    expect(getEvent(town, id)?.slug.es).toBe('otro-nombre');
    expect(town.slugs.find((slug) => slug.slug === 'noche-de-prueba')?.id).toBe(id);
    const own = town.occurrences.filter(({ event }) => event === id);
    expect(own.map(({ sequence }) => sequence)).toEqual([1, 1]);
  });
});

describe('names that meet', () => {
  test('content keeps its address, and of two submissions each has its own', async () => {
    const references = [
      await publish(opened.inbox, { title: '¡Fiesta de viernes!' }),
      await publish(opened.inbox, { title: '¡Fiesta de viernes!', start: '2026-12-06T20:00' }),
    ].sort();
    const slugs = (await read()).events
      .filter((event) => event.title.es === '¡Fiesta de viernes!')
      .map((event) => event.slug.es);
    expect(slugs).toHaveLength(
      2 + readFixture().events.filter((event) => event.title.es === '¡Fiesta de viernes!').length,
    );
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.some((slug) => slug.endsWith(references[1]?.toLowerCase() ?? '?'))).toBe(true);
  });
  test('an address that was published stays with its event, whatever else comes', async () => {
    const first = await publish(opened.inbox);
    const town = await read();
    await publish(opened.inbox, { start: '2026-12-07T20:00' });
    const after = await read(town.ledger);
    expect(getEvent(after, toSubmittedEventId(first))?.slug.es).toBe('noche-de-prueba');
  });
  test('a name without a letter has its reference for an address', async () => {
    const title = '🎺🎉🎺';
    const reference = await publish(opened.inbox, { title }, { ...ADDED, other_title: title });
    const slug = reference.toLowerCase();
    const event = getEvent(await read(), toSubmittedEventId(reference));
    expect(event?.slug).toEqual({ es: slug, en: slug });
  });
  test('a new place named twice is one, and so is who organizes', async () => {
    await publish(opened.inbox);
    await publish(opened.inbox, {
      title: 'Otra',
      venue_name: 'PATIO INVENTADO',
      organizer: { name: 'quien prueba', url: null },
    });
    const { venues, organizers } = await read();
    expect(venues.filter(({ name }) => /patio/i.test(name))).toHaveLength(1);
    expect(organizers.filter(({ name }) => /quien prueba/i.test(name))).toHaveLength(1);
  });
  test('a new place keeps its address, whatever is approved that names it later', async () => {
    const named = { venue_name: 'Patio Inventado' };
    await publish(opened.inbox, named);
    const town = await read();
    const [before] = town.venues.filter((venue) => /patio/i.test(venue.name));
    // References come in no order: one of these is likely before that of the first.
    for (let at = 0; at < 12; at++) await publish(opened.inbox, { ...named, title: `Otra ${at}` });
    const after = await read(town.ledger);
    const places = after.venues.filter((venue) => /patio/i.test(venue.name));
    expect(places.map(({ id, slug }) => [id, slug])).toEqual([[before?.id, before?.slug]]);
  });
});

test('a row that no schema takes is left out and named, and the rest is published', async () => {
  const reference = await publish(opened.inbox);
  const row = {
    at: 'x',
    door: 'form',
    kind: 'event',
    title: '',
    state: 'applied',
    decided: 1,
  } as const;
  const sent = {
    maker: 'sender',
    reference: 'HC-BROKEN',
    asks: 'publish',
    text: SUBMISSION,
  } as const;
  const decided = { maker: 'editor', thing: 'ev_x', asks: 'cancel' } as const;
  await insertChange(opened.inbox, { ...row, ...sent, record: { event: {} } });
  await insertChange(opened.inbox, { ...row, ...decided, record: { status: 'exploded' } });
  const { left_out } = await readInboxRecords(opened.inbox);
  expect(left_out.map((line) => line.split(' ')[0])).toEqual(['HC-BROKEN', 'ev_x']);
  expect(getEvent(await read(), toSubmittedEventId(reference))).toBeDefined();
});

test('a known place that content does not have any more does not stop a release', async () => {
  expect((await readPublished({ venue: 've_gone456789' })).event.venue).toBeNull();
});

test('an approval is undone until a release has shown it', async () => {
  await publish(opened.inbox);
  await undoNewest(opened.inbox, ANA);
  expect((await read()).events).toHaveLength(readFixture().events.length);
  await publish(opened.inbox, { title: 'Otra noche' });
  await writeLedger(opened.inbox, (await read()).ledger);
  await expect(() => undoNewest(opened.inbox, ANA)).rejects.toThrow('public already');
});

describe('when', () => {
  test('of days with hours of their own is one for each, two on one day too', () => {
    const hours = [
      { date: '2026-12-12', start: '18:00', end: '20:00' },
      { date: '2026-12-05', start: '12:00', end: null },
    ];
    const times = { start: '2026-12-05T19:00', end: null, all_day: false, hours };
    expect(
      listWhens({ ...times, dates: ['2026-12-05', '2026-12-06', '2026-12-12'] }),
    ).toMatchObject([
      { start: '19:00', dates: ['2026-12-05', '2026-12-06'] },
      { start: '18:00', end: '20:00', dates: ['2026-12-12'] },
      { start: '12:00', dates: ['2026-12-05'] },
    ]);
  });
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

test('the preview says what the release will say', async () => {
  const reference = await publish(opened.inbox);
  const town = await read();
  const known = {
    taxonomy: town.taxonomy,
    findVenue: () => null,
    findVenueByName: () => null,
    getVenue: () => null,
    getOrganizer: () => null,
    listOrganizers: () => [],
  };
  const detail = toPreview(SUBMISSION, ADDED, known, {
    reference,
    door: 'form',
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
