// What the desk let in: ids that stay, addresses that do not meet, nothing that stops a release.
import { describe, expect, test } from 'vitest';
import { amendSubmission } from '../../src/desk/submissions.ts';
import {
  buildSchedules,
  suggestSummary,
  buildPreview,
  buildSchedule,
} from '../../src/desk/publication.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import type { Submission } from '../../src/domain/submission/submission.ts';
import type { ReviewerFields } from '../../src/domain/submission/reviewer-fields.ts';
import { insertChange } from '../../src/inbox/changes.ts';
import { loadLedger, saveLedger } from '../../src/inbox/ledger.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { submittedEventId } from '../../src/sources/inbox/merge-inbox.ts';
import { approve, publish, readDatasetWith } from '../fixtures/approved.ts';
import { editFields } from '../fixtures/edits.ts';
import { FRIDAY_NOON_MS as NOW_MS, readFixture } from '../fixtures/fixture.ts';
import { ADDED, ANA, inbox, sendIn, SUBMISSION, undoNewest, useInbox } from '../fixtures/inbox.ts';

useInbox();

const getEvent = (town: Dataset, id: string) => town.events.find((event) => event.id === id);
const find = (town: Dataset, reference: string) => {
  const event = getEvent(town, submittedEventId(reference));
  if (event === undefined) throw new Error(`${reference} is not there`);
  return event;
};
const read = (ledger?: Ledger, now_ms?: number): Promise<Dataset> =>
  readDatasetWith(inbox, ledger, now_ms);
/** What the times of an event say. */
const listTimes = (town: Dataset, reference: string) =>
  town.occurrences.filter(({ event }) => event === submittedEventId(reference));

describe('an approved submission', () => {
  test('is an event with its place, its people and its times, and nothing private', async () => {
    const reference = await publish(inbox);
    const town = await read();
    const event = find(town, reference);
    expect(event).toMatchObject({
      ...{ title: { es: 'Noche de prueba', en: 'Test night' }, source: 'organizer' },
      ...{ summary: { es: 'Una noche inventada.', en: 'A made-up night.' }, verified: false },
      ...{ slug: { es: 'noche-de-prueba', en: 'test-night' }, price: { is_free: false, min: 150 } },
    });
    const venue = town.venues.find(({ id }) => id === event.venue);
    expect(venue).toMatchObject({ name: 'Patio Inventado', locality: 'Cancún', zone: 'downtown' });
    const organizer = town.organizers.find(({ id }) => id === event.organizer);
    expect(organizer).toMatchObject({ name: 'Quien Prueba', verified: false });
    expect(listTimes(town, reference)).toMatchObject([
      { start: '2026-12-05T20:00:00-05:00', end: '2026-12-06T01:00:00-05:00', status: 'scheduled' },
      { start: '2026-12-12T20:00:00-05:00', end: '2026-12-13T01:00:00-05:00', status: 'scheduled' },
    ]);
    expect(JSON.stringify(town)).not.toContain('privado@ejemplo.example');
    // The preview says what the release says.
    const known = {
      taxonomy: town.taxonomy,
      findVenue: () => null,
      findVenueByName: () => null,
      getVenue: () => null,
      getOrganizer: () => null,
      listOrganizers: () => [],
    };
    const from = { reference, door: 'form', now_ms: NOW_MS } as const;
    const detail = buildPreview(SUBMISSION, ADDED, known, from);
    const { id, slug } = event;
    const own = { id, slug, venue: event.venue, organizer: event.organizer };
    expect({ ...detail?.event, ...own }).toEqual(event);
  });

  test('says what is not known of it: the hour, the end, the place, the other language', async () => {
    const days = { start: '2026-12-05', end: '2026-12-06', dates: [] };
    const hourless = await publish(inbox, { title: 'A', hour: 'unknown', ...days });
    const nowhere = { venue_name: 'online', venue_address: null, zone: null };
    const link = { registration_url: 'https://registro.example/a' };
    const online = await publish(inbox, { title: 'B', open_end: true, ...nowhere, ...link });
    const isla = { lang: 'en', title: 'Night', zone: 'isla-mujeres' } as const;
    const english = await publish(inbox, isla, ADDED, 'agent');
    const { other_summary, ...name } = ADDED;
    const whole = { ...ADDED, other_description: 'A made-up night for the tests.' };
    const added: readonly ReviewerFields[] = [{ summary: 'Una.' }, name, ADDED, whole];
    const references = await Array.fromAsync(added, (one, at) =>
      publish(inbox, { title: `Noche ${at}` }, one),
    );
    const town = await read();
    expect(town.left_out).toEqual([]);
    expect(listTimes(town, hourless)).toMatchObject([
      {
        ...{ start: '2026-12-05T00:00:00-05:00', end: '2026-12-07T00:00:00-05:00' },
        ...{ time_known: false, end_known: false },
      },
    ]);
    expect(find(town, online)).toMatchObject({
      ...{ open_end: true, venue: null, zone: null },
      location_note: { es: 'En línea', en: 'Online' },
    });
    expect(find(town, english)).toMatchObject({
      title: { en: 'Night', es: 'Test night' },
      summary: { en: 'Una noche inventada.' },
      source: 'agent',
    });
    const place = find(town, english).venue;
    expect(town.venues.find(({ id }) => id === place)?.locality).toBe('Isla Mujeres');
    const events = references.map((reference) => find(town, reference));
    expect(events[0]).toMatchObject({
      title: { es: 'Noche 0', en: 'Noche 0' },
      summary: { es: 'Una.', en: 'Una.' },
      description: { es: SUBMISSION.description, en: SUBMISSION.description },
    });
    expect(events.map(({ originals }) => originals)).toEqual([
      { title: 'es', summary: 'es', description: 'es' },
      { title: null, summary: 'es', description: 'es' },
      { title: null, summary: null, description: 'es' },
      null,
    ]);
  });

  test('is refused for what a reviewer adds that content would refuse', async () => {
    const { reference } = await sendIn(inbox);
    for (const [added, message] of [
      [{ other_summary: 'A night.' }, /other_title.*summary/],
      [{ ...ADDED, lat: '21.1' }, /both lat and lng/],
      [{ ...ADDED, lat: 'norte', lng: '-86.8' }, /must be a number/],
      [{ ...ADDED, summary: 'x'.repeat(401) }, /400/],
    ] as const)
      await expect(approve(inbox, reference, added)).rejects.toThrow(message);
    await approve(inbox, reference, { ...ADDED, lat: '21.16', lng: '-86.85' });
    const place = (await read()).venues.find(({ name }) => name === 'Patio Inventado');
    expect(place).toMatchObject({ lat: 21.16, lng: -86.85 });
  });

  test('keeps its id, its addresses and its occurrences through a correction, whatever else comes', async () => {
    const reference = await publish(inbox);
    const { ledger } = await read();
    await publish(inbox, { start: '2026-12-07T20:00' });
    expect(find(await read(ledger), reference).slug.es).toBe('noche-de-prueba');
    const submission = { ...SUBMISSION, title: 'Otro nombre' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    await approve(inbox, reference);
    const town = await read(ledger, NOW_MS + 3_600_000);
    expect(find(town, reference).slug.es).toBe('otro-nombre');
    const owner = town.slugs.find((slug) => slug.slug === 'noche-de-prueba')?.id;
    expect(owner).toBe(submittedEventId(reference));
    expect(listTimes(town, reference).map(({ sequence }) => sequence)).toEqual([1, 1]);
  });

  test('is undone until a release has shown it', async () => {
    await publish(inbox);
    await undoNewest(inbox, ANA);
    expect((await read()).events).toHaveLength(readFixture().events.length);
    await publish(inbox, { title: 'Otra noche' });
    await saveLedger(inbox, (await read()).ledger);
    await expect(undoNewest(inbox, ANA)).rejects.toThrow('public already');
  });
});

describe('names that meet', () => {
  test('content keeps its address, each submission has its own, and one without a letter its reference', async () => {
    const title = '¡Fiesta de viernes!';
    await publish(inbox, { title });
    await publish(inbox, { title, start: '2026-12-06T20:00' });
    const sign = await publish(inbox, { title: '🎺🎉🎺' }, { ...ADDED, other_title: '🎺🎉🎺' });
    const town = await read();
    const named = (of: Dataset) =>
      of.events.filter((one) => one.title.es === title).map(({ slug }) => slug.es);
    const slugs = new Set(named(town));
    expect(slugs.size).toBe(2 + named(readFixture()).length);
    expect([...slugs]).toEqual(expect.arrayContaining(named(readFixture())));
    const slug = sign.toLowerCase();
    expect(find(town, sign).slug).toEqual({ es: slug, en: slug });
  });

  test('a new place is one, and so is who organizes, and it keeps its address whatever names it later', async () => {
    const list = ({ venues, organizers }: Dataset) => [
      venues.filter(({ name }) => /patio/i.test(name)).map(({ id, slug }) => [id, slug]),
      organizers.filter(({ name }) => /quien prueba/i.test(name)).map(({ id, slug }) => [id, slug]),
    ];
    await publish(inbox);
    const town = await read();
    const others = {
      venue_name: 'PATIO INVENTADO',
      organizer: { name: 'quien prueba', url: null },
    };
    // References come in no order: one of these is likely before that of the first.
    for (let at = 0; at < 6; at++) await publish(inbox, { ...others, title: `Otra ${at}` });
    expect(list(town).map(({ length }) => length)).toEqual([1, 1]);
    expect(list(await read(town.ledger))).toEqual(list(town));
  });

  test('a place stays where it is when whoever brought it names it from the list, or goes elsewhere', async () => {
    const list = ({ venues, events, slugs }: Dataset, references: readonly string[]) =>
      references.map((reference) => {
        const event = events.find(({ id }) => id === submittedEventId(reference));
        const at = venues.find(({ id }) => id === event?.venue);
        return [at?.name, slugs.find(({ slug }) => slug === 'patio-inventado')?.id === at?.id];
      });
    const first = await publish(inbox);
    const town = await read();
    const at = { venue: find(town, first).venue, venue_name: null };
    const second = await publish(inbox, { title: 'Otra noche', ...at });
    const change = async (text: Partial<Submission>, ledger: Ledger) => {
      const submission = { ...SUBMISSION, venue_address: null, ...text };
      await amendSubmission(inbox, { reference: first, now_ms: NOW_MS, submission });
      await approve(inbox, first);
      return read(ledger);
    };
    const listed = await change(at, town.ledger);
    expect(list(listed, [first, second])).toEqual([
      ['Patio Inventado', true],
      ['Patio Inventado', true],
    ]);
    const moved = await change({ venue: null, venue_name: 'Otro Patio' }, listed.ledger);
    expect(list(moved, [first, second])).toEqual([
      ['Otro Patio', false],
      ['Patio Inventado', true],
    ]);
  });

  test('a place that is renamed by the only one there keeps its old address', async () => {
    const reference = await publish(inbox);
    const town = await read();
    const submission = { ...SUBMISSION, venue_name: 'Patio de la Prueba' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    await approve(inbox, reference);
    const renamed = await read(town.ledger);
    const at = find(renamed, reference).venue;
    const addresses = renamed.slugs.filter(({ kind, id }) => kind === 'venue' && id === at);
    expect(addresses.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['patio-de-la-prueba', 'patio-inventado']),
    );
  });

  /** What becomes of the submission that brought a place, released after each step. */
  const bring = async () => {
    const reference = await publish(inbox);
    const release = async () => {
      const town = await readDatasetWith(inbox, await loadLedger(inbox));
      expect(town.left_out).toEqual([]);
      await saveLedger(inbox, town.ledger);
      return town;
    };
    const at = find(await release(), reference).venue ?? '';
    const say = async (text: Partial<Submission>) => {
      const submission = { ...SUBMISSION, venue_name: null, venue_address: null, ...text };
      await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
      await approve(inbox, reference);
      return release();
    };
    return { reference, at, release, say };
  };
  const PIER = readFixture().venues.find(({ slug }) => slug.es === 'malecon-inventado')?.id ?? '';
  const OTHER = { venue_name: 'Otro Patio' };
  const HERE = 'Patio Inventado';

  type Live = (life: Awaited<ReturnType<typeof bring>>) => Promise<unknown>;

  test.each<readonly [string, Live, string, string]>([
    [
      'goes to a place of content',
      ({ say }) => say({ venue: PIER }),
      'Malecón Inventado',
      'Malecón Inventado',
    ],
    ['is nowhere', ({ say }) => say({ venue_name: 'online', zone: null }), '', HERE],
    [
      'goes elsewhere while another waits to be there',
      ({ at, say }) => sendIn(inbox, { title: 'Otra', venue: at }).then(() => say(OTHER)),
      ...(['Otro Patio', HERE] as const),
    ],
    [
      'goes elsewhere where an editor has said that another place is the same',
      ({ at, say }) => editFields(inbox, PIER, { same_as: at }).then(() => say(OTHER)),
      ...(['Otro Patio', HERE] as const),
    ],
    [
      'comes back by an undoing',
      ({ say }) => say(OTHER).then(() => undoNewest(inbox, ANA)),
      HERE,
      HERE,
    ],
    [
      'comes back by an undoing, and goes elsewhere instead',
      async ({ say }) => {
        await say(OTHER);
        await undoNewest(inbox, ANA);
        await say({ venue_name: 'Patio Final' });
      },
      ...(['Patio Final', 'Patio Final'] as const),
    ],
  ])('a place whose event %s', async (_, live, here, there) => {
    const life = await bring();
    await live(life);
    const { venues, events, slugs } = await life.release();
    const nameOf = (id?: string | null) => venues.find((venue) => venue.id === id)?.name ?? '';
    const event = events.find(({ id }) => id === submittedEventId(life.reference));
    const leadsTo = (slug: string) => nameOf(slugs.find((one) => one.slug === slug)?.id);
    expect([nameOf(event?.venue), leadsTo('patio-inventado'), leadsTo(life.at)]).toEqual([
      ...[here, there, there],
    ]);
    for (const { kind, slug } of (await loadLedger(inbox)).slugs)
      expect(
        slugs.some((one) => one.kind === kind && one.slug === slug),
        slug,
      ).toBe(true);
  });

  test('a place that was published under two names by an older release goes on under both', async () => {
    const { reference, at, say } = await bring();
    const slugs = [{ kind: 'venue', slug: 'otro-patio', id: at }] as const;
    await saveLedger(inbox, { ...EMPTY_LEDGER, slugs });
    const town = await say(OTHER);
    expect(find(town, reference).venue).toBe(at);
    expect(town.venues.find(({ id }) => id === at)?.slug.es).toBe('otro-patio');
  });

  test('a place keeps its events when another of its words is published beside it', async () => {
    const { reference, at, release } = await bring();
    const second = await publish(inbox, { title: 'Otra noche' });
    const submission = { ...SUBMISSION, title: 'Otra más' };
    await amendSubmission(inbox, { reference: second, now_ms: NOW_MS, submission });
    await approve(inbox, second);
    const beside = deriveId('venue', `inbox/${second}`);
    await editFields(inbox, submittedEventId(second), { venue: beside });
    expect(find(await release(), second).venue).toBe(beside);
    expect(find(await release(), reference).venue).toBe(at);
  });

  test('two places without a letter of an address, of one sender, have one each', async () => {
    const { reference, say } = await bring();
    const first = find(await say({ venue_name: 'Бар' }), reference).venue;
    await publish(inbox, { title: 'Otra noche', venue: first, venue_name: null });
    const town = await say({ venue_name: 'Кафе' });
    const own = town.venues.filter(({ name }) => ['Бар', 'Кафе'].includes(name));
    expect(new Set(own.map(({ slug }) => slug.es)).size).toBe(2);
  });

  test('what an editor has looked at keeps its address, whoever wants it before the release', async () => {
    const reference = await publish(inbox);
    await editFields(inbox, submittedEventId(reference), { tags: ['trova'] });
    // One of these is likely before it by its reference.
    for (let at = 1; at < 7; at++) await publish(inbox, { start: `2026-12-0${at}T19:00` });
    const town = await read();
    expect([town.left_out, find(town, reference).slug.es]).toEqual([[], 'noche-de-prueba']);
  });
});

test('a row that no schema takes is left out and named, a place that is gone is none, and the rest is published', async () => {
  const reference = await publish(inbox, { venue: 've_gone456789' });
  const row = { at: 'x', door: 'form', kind: 'event', title: '', state: 'applied' } as const;
  const decided = { ...row, decided: 1 };
  const sent = { maker: 'sender', reference: 'HC-BROKEN', asks: 'publish' } as const;
  const status = { maker: 'editor', thing: 'ev_x', asks: 'cancel' } as const;
  await insertChange(inbox, { ...decided, ...sent, text: SUBMISSION, record: { event: {} } });
  await insertChange(inbox, { ...decided, ...status, record: { status: 'exploded' } });
  const town = await read();
  expect(town.left_out.map((line) => line.split(' ')[0])).toEqual(['HC-BROKEN', 'ev_x']);
  expect(find(town, reference).venue).toBeNull();
});

test('days with hours of their own are one entry for each, two on one day too', () => {
  const hours = [
    { date: '2026-12-12', start: '18:00', end: '20:00' },
    { date: '2026-12-05', start: '12:00', end: null },
  ];
  const times = { start: '2026-12-05T19:00', end: null, all_day: false, hours };
  expect(
    buildSchedules({ ...times, dates: ['2026-12-05', '2026-12-06', '2026-12-12'] }),
  ).toMatchObject([
    { start: '19:00', dates: ['2026-12-05', '2026-12-06'] },
    { start: '18:00', end: '20:00', dates: ['2026-12-12'] },
    { start: '12:00', dates: ['2026-12-05'] },
  ]);
});

test.each<readonly [string, string | null, object, object]>([
  ['2026-12-05T20:00', null, {}, { start: '20:00', days: 1 }],
  ['2026-12-05T20:00', '2026-12-06T20:00', {}, { start: '20:00', end: '20:00', days: 1 }],
  ['2026-12-05T10:00', '2026-12-06T18:00', {}, { start: '10:00', end: '18:00', days: 2 }],
  ['2026-12-05', '2026-12-07', { all_day: true }, { days: 3 }],
  ['2026-12-05', '2026-12-07', { hour: 'unknown' }, { hour: 'unknown', days: 3 }],
])('%s to %s (%j)', (start, end, more, expected) => {
  const moments = { start, end, all_day: false, dates: ['2026-12-12'], ...more };
  expect(buildSchedule(moments)).toEqual({
    ...{ dates: ['2026-12-05', '2026-12-12'], except: [] },
    ...expected,
  });
});

test('a summary is suggested from whole sentences', () => {
  expect(suggestSummary('Uno. Dos.\n\nTres.')).toBe('Uno. Dos.');
  expect(suggestSummary(`Corta. ${'larga '.repeat(60)}`)).toBe('Corta.');
  expect(suggestSummary('palabra '.repeat(60))).toMatch(/^palabra( palabra)*…$/);
});
