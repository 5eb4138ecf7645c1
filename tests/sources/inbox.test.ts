// Approved submissions in releases: tests stable ids, unique slugs, merged venues, and that invalid rows do not stop a
// release.
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
import { approve, publish, loadDatasetWithInbox } from '../fixtures/approved.ts';
import { formatPrice } from '../../src/i18n/format-price.ts';
import { editFields } from '../fixtures/edits.ts';
import { FRIDAY_NOON_MS as NOW_MS, loadFixture } from '../fixtures/fixture.ts';
import {
  REVIEWER_FIELDS,
  ANA,
  inbox,
  submitTestEvent,
  SUBMISSION,
  undoNewestDecision,
  useInbox,
} from '../fixtures/inbox.ts';

useInbox();

const getEvent = (town: Dataset, id: string) => town.events.find((event) => event.id === id);
const find = (town: Dataset, reference: string) => {
  const event = getEvent(town, submittedEventId(reference));
  if (event === undefined) throw new Error(`no event of ${reference}`);
  return event;
};
const read = (ledger?: Ledger, now_ms?: number): Promise<Dataset> =>
  loadDatasetWithInbox(inbox, ledger, now_ms);
/** Lists the occurrences of a submitted event. */
const listOccurrences = (town: Dataset, reference: string) =>
  town.occurrences.filter(({ event }) => event === submittedEventId(reference));

test('a free submission with a note is published as free (contract 4.7)', async () => {
  const price = { is_free: true, min: null, max: null, note: 'Cupo limitado' };
  const reference = await publish(inbox, { price });
  const event = find(await read(), reference);
  expect(event.price).toMatchObject({ is_free: true, min: 0, max: 0 });
  expect(formatPrice(event.price, 'es')).toBe('Gratis. Cupo limitado');
});

describe('an approved submission', () => {
  test('becomes an event with its venue, organizer and occurrences, without private data', async () => {
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
    expect(listOccurrences(town, reference)).toMatchObject([
      { start: '2026-12-05T20:00:00-05:00', end: '2026-12-06T01:00:00-05:00', status: 'scheduled' },
      { start: '2026-12-12T20:00:00-05:00', end: '2026-12-13T01:00:00-05:00', status: 'scheduled' },
    ]);
    expect(JSON.stringify(town)).not.toContain('privado@ejemplo.example');
    // The preview is the same as the release.
    const lookups = {
      taxonomy: town.taxonomy,
      findVenue: () => null,
      findVenueByName: () => null,
      getVenue: () => null,
      getOrganizer: () => null,
      listOrganizers: () => [],
    };
    const from = { reference, door: 'form', now_ms: NOW_MS } as const;
    const detail = buildPreview(SUBMISSION, REVIEWER_FIELDS, lookups, from);
    const { id, slug } = event;
    const released_ids = { id, slug, venue: event.venue, organizer: event.organizer };
    expect({ ...detail?.event, ...released_ids }).toEqual(event);
  });

  test('marks an unknown time, end, venue or translation', async () => {
    const days = { start: '2026-12-05', end: '2026-12-06', dates: [] };
    const hourless = await publish(inbox, { title: 'A', hour: 'unknown', ...days });
    const nowhere = { venue_name: 'online', venue_address: null, zone: null };
    const link = { registration_url: 'https://registro.example/a' };
    const online = await publish(inbox, { title: 'B', open_end: true, ...nowhere, ...link });
    const isla = { lang: 'en', title: 'Night', zone: 'isla-mujeres' } as const;
    const english = await publish(inbox, isla, REVIEWER_FIELDS, 'agent');
    const { other_summary, ...name } = REVIEWER_FIELDS;
    const translated = { ...REVIEWER_FIELDS, other_description: 'A made-up night for the tests.' };
    const added: readonly ReviewerFields[] = [
      { summary: 'Una.' },
      name,
      REVIEWER_FIELDS,
      translated,
    ];
    const references = await Array.fromAsync(added, (fields, at) =>
      publish(inbox, { title: `Noche ${at}` }, fields),
    );
    const town = await read();
    expect(town.omitted).toEqual([]);
    expect(listOccurrences(town, hourless)).toMatchObject([
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
    const venue = find(town, english).venue;
    expect(town.venues.find(({ id }) => id === venue)?.locality).toBe('Isla Mujeres');
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

  test('is rejected if the content schema rejects a field that the reviewer adds', async () => {
    const { reference } = await submitTestEvent(inbox);
    for (const [added, message] of [
      [{ other_summary: 'A night.' }, /other_title.*summary/],
      [{ ...REVIEWER_FIELDS, lat: '21.1' }, /both lat and lng/],
      [{ ...REVIEWER_FIELDS, lat: 'norte', lng: '-86.8' }, /must be a number/],
      [{ ...REVIEWER_FIELDS, summary: 'x'.repeat(401) }, /400/],
    ] as const)
      await expect(approve(inbox, reference, added)).rejects.toThrow(message);
    await approve(inbox, reference, { ...REVIEWER_FIELDS, lat: '21.16', lng: '-86.85' });
    const venue = (await read()).venues.find(({ name }) => name === 'Patio Inventado');
    expect(venue).toMatchObject({ lat: 21.16, lng: -86.85 });
  });

  test('keeps its id, slugs and occurrences after an amendment, next to other submissions', async () => {
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
    expect(listOccurrences(town, reference).map(({ sequence }) => sequence)).toEqual([1, 1]);
  });

  test('can be undone until a release includes it', async () => {
    await publish(inbox);
    await undoNewestDecision(inbox, ANA);
    expect((await read()).events).toHaveLength(loadFixture().events.length);
    await publish(inbox, { title: 'Otra noche' });
    await saveLedger(inbox, (await read()).ledger);
    await expect(undoNewestDecision(inbox, ANA)).rejects.toThrow('public already');
  });
});

describe('equal names', () => {
  test('content keeps its slug, each submission gets its own, and a title without letters gets the reference', async () => {
    const title = '¡Fiesta de viernes!';
    await publish(inbox, { title });
    await publish(inbox, { title, start: '2026-12-06T20:00' });
    const sign = await publish(
      inbox,
      { title: '🎺🎉🎺' },
      { ...REVIEWER_FIELDS, other_title: '🎺🎉🎺' },
    );
    const town = await read();
    const listSlugs = ({ events }: Dataset) =>
      events.filter((event) => event.title.es === title).map(({ slug }) => slug.es);
    const slugs = new Set(listSlugs(town));
    expect(slugs.size).toBe(2 + listSlugs(loadFixture()).length);
    expect([...slugs]).toEqual(expect.arrayContaining(listSlugs(loadFixture())));
    const slug = sign.toLowerCase();
    expect(find(town, sign).slug).toEqual({ es: slug, en: slug });
  });

  test('a new venue and organizer are created once, and keep their slugs when later submissions name them', async () => {
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
    // References are random: one of these probably sorts before the first.
    for (let at = 0; at < 6; at++) await publish(inbox, { ...others, title: `Otra ${at}` });
    expect(list(town).map(({ length }) => length)).toEqual([1, 1]);
    expect(list(await read(town.ledger))).toEqual(list(town));
  });

  test('a submitted venue keeps its record when its sender selects it from the list or moves the event', async () => {
    const list = ({ venues, events, slugs }: Dataset, references: readonly string[]) =>
      references.map((reference) => {
        const event = events.find(({ id }) => id === submittedEventId(reference));
        const venue = venues.find(({ id }) => id === event?.venue);
        const owner = slugs.find(({ slug }) => slug === 'patio-inventado')?.id;
        return [venue?.name, owner === venue?.id];
      });
    const first = await publish(inbox);
    const town = await read();
    const listed_venue = { venue: find(town, first).venue, venue_name: null };
    const second = await publish(inbox, { title: 'Otra noche', ...listed_venue });
    const amend = async (text: Partial<Submission>, ledger: Ledger) => {
      const submission = { ...SUBMISSION, venue_address: null, ...text };
      await amendSubmission(inbox, { reference: first, now_ms: NOW_MS, submission });
      await approve(inbox, first);
      return read(ledger);
    };
    const listed = await amend(listed_venue, town.ledger);
    expect(list(listed, [first, second])).toEqual([
      ['Patio Inventado', true],
      ['Patio Inventado', true],
    ]);
    const moved = await amend({ venue: null, venue_name: 'Otro Patio' }, listed.ledger);
    expect(list(moved, [first, second])).toEqual([
      ['Otro Patio', false],
      ['Patio Inventado', true],
    ]);
  });

  test('a venue renamed by its only submission keeps its former slug', async () => {
    const reference = await publish(inbox);
    const town = await read();
    const submission = { ...SUBMISSION, venue_name: 'Patio de la Prueba' };
    await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
    await approve(inbox, reference);
    const renamed = await read(town.ledger);
    const venue = find(renamed, reference).venue;
    const venue_slugs = renamed.slugs.filter(({ kind, id }) => kind === 'venue' && id === venue);
    expect(venue_slugs.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['patio-de-la-prueba', 'patio-inventado']),
    );
  });

  /** Publishes a submission with a new venue; `amend` changes it, with a release after each step. */
  const publishNewVenue = async () => {
    const reference = await publish(inbox);
    const release = async () => {
      const previous = await loadLedger(inbox);
      const town = await loadDatasetWithInbox(inbox, previous);
      expect(town.omitted).toEqual([]);
      await saveLedger(inbox, town.ledger, previous);
      return town;
    };
    const venue_id = find(await release(), reference).venue ?? '';
    const amend = async (text: Partial<Submission>) => {
      const submission = { ...SUBMISSION, venue_name: null, venue_address: null, ...text };
      await amendSubmission(inbox, { reference, now_ms: NOW_MS, submission });
      await approve(inbox, reference);
      return release();
    };
    return { reference, venue_id, release, amend };
  };
  const PIER = loadFixture().venues.find(({ slug }) => slug.es === 'malecon-inventado')?.id ?? '';
  const OTHER = { venue_name: 'Otro Patio' };
  const HERE = 'Patio Inventado';

  type Scenario = (published: Awaited<ReturnType<typeof publishNewVenue>>) => Promise<unknown>;

  test.each<readonly [string, Scenario, string, string]>([
    [
      'moves to a venue of content',
      ({ amend }) => amend({ venue: PIER }),
      'Malecón Inventado',
      'Malecón Inventado',
    ],
    ['has no venue anymore', ({ amend }) => amend({ venue_name: 'online', zone: null }), '', HERE],
    [
      'moves while a pending submission refers to it',
      ({ venue_id, amend }) =>
        submitTestEvent(inbox, { title: 'Otra', venue: venue_id }).then(() => amend(OTHER)),
      ...(['Otro Patio', HERE] as const),
    ],
    [
      'moves after an editor merged another venue into it',
      ({ venue_id, amend }) =>
        editFields(inbox, PIER, { same_as: venue_id }).then(() => amend(OTHER)),
      ...(['Otro Patio', HERE] as const),
    ],
    [
      'returns by an undo',
      ({ amend }) => amend(OTHER).then(() => undoNewestDecision(inbox, ANA)),
      HERE,
      HERE,
    ],
    [
      'returns by an undo and then moves',
      async ({ amend }) => {
        await amend(OTHER);
        await undoNewestDecision(inbox, ANA);
        await amend({ venue_name: 'Patio Final' });
      },
      ...(['Patio Final', 'Patio Final'] as const),
    ],
  ])('a venue whose event %s', async (_, runScenario, event_venue, slug_venue) => {
    const published = await publishNewVenue();
    await runScenario(published);
    const { venues, events, slugs } = await published.release();
    const nameOf = (id?: string | null) => venues.find((venue) => venue.id === id)?.name ?? '';
    const event = events.find(({ id }) => id === submittedEventId(published.reference));
    const ownerOf = (slug: string) => nameOf(slugs.find((entry) => entry.slug === slug)?.id);
    expect([nameOf(event?.venue), ownerOf('patio-inventado'), ownerOf(published.venue_id)]).toEqual(
      [event_venue, slug_venue, slug_venue],
    );
    for (const { kind, slug } of (await loadLedger(inbox)).slugs)
      expect(
        slugs.some((entry) => entry.kind === kind && entry.slug === slug),
        slug,
      ).toBe(true);
  });

  test('a venue published under two names by an older release keeps both slugs', async () => {
    const { reference, venue_id, amend } = await publishNewVenue();
    const slugs = [{ kind: 'venue', slug: 'otro-patio', id: venue_id }] as const;
    await saveLedger(inbox, { ...EMPTY_LEDGER, slugs });
    const town = await amend(OTHER);
    expect(find(town, reference).venue).toBe(venue_id);
    expect(town.venues.find(({ id }) => id === venue_id)?.slug.es).toBe('otro-patio');
  });

  test('a venue keeps its events when an equal one is published next to it', async () => {
    const { reference, venue_id, release } = await publishNewVenue();
    const second = await publish(inbox, { title: 'Otra noche' });
    const submission = { ...SUBMISSION, title: 'Otra más' };
    await amendSubmission(inbox, { reference: second, now_ms: NOW_MS, submission });
    await approve(inbox, second);
    const second_venue = deriveId('venue', `inbox/${second}`);
    await editFields(inbox, submittedEventId(second), { venue: second_venue });
    expect(find(await release(), second).venue).toBe(second_venue);
    expect(find(await release(), reference).venue).toBe(venue_id);
  });

  test('two venues of one sender with non-Latin names get a slug each', async () => {
    const { reference, amend } = await publishNewVenue();
    const first = find(await amend({ venue_name: 'Бар' }), reference).venue;
    await publish(inbox, { title: 'Otra noche', venue: first, venue_name: null });
    const town = await amend({ venue_name: 'Кафе' });
    const submitted = town.venues.filter(({ name }) => ['Бар', 'Кафе'].includes(name));
    expect(new Set(submitted.map(({ slug }) => slug.es)).size).toBe(2);
  });

  test('an event with an override keeps its slug when others claim it before the release', async () => {
    const reference = await publish(inbox);
    await editFields(inbox, submittedEventId(reference), { tags: ['trova'] });
    // References are random: one of these probably sorts before the first.
    for (let at = 1; at < 7; at++) await publish(inbox, { start: `2026-12-0${at}T19:00` });
    const town = await read();
    expect([town.omitted, find(town, reference).slug.es]).toEqual([[], 'noche-de-prueba']);
  });
});

test('an invalid row is left out and reported, a missing venue becomes null, and the rest is published', async () => {
  const reference = await publish(inbox, { venue: 've_gone456789' });
  const row = { at: 'x', door: 'form', kind: 'event', title: '', state: 'applied' } as const;
  const decided = { ...row, decided: 1 };
  const submission = { maker: 'sender', reference: 'HC-BROKEN', asks: 'publish' } as const;
  const status = { maker: 'editor', thing: 'ev_x', asks: 'cancel' } as const;
  await insertChange(inbox, { ...decided, ...submission, text: SUBMISSION, record: { event: {} } });
  await insertChange(inbox, { ...decided, ...status, record: { status: 'exploded' } });
  const town = await read();
  expect(town.omitted.map((line) => line.split(' ')[0])).toEqual(['HC-BROKEN', 'ev_x']);
  expect(find(town, reference).venue).toBeNull();
});

test('days with their own hours become separate schedules, also two on one day', () => {
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
])('the schedule of %s to %s (%j) has the right length', (start, end, more, expected) => {
  const times = { start, end, all_day: false, dates: ['2026-12-12'], ...more };
  expect(buildSchedule(times)).toEqual({
    ...{ dates: ['2026-12-05', '2026-12-12'], except: [] },
    ...expected,
  });
});

test('suggestSummary returns whole sentences', () => {
  expect(suggestSummary('Uno. Dos.\n\nTres.')).toBe('Uno. Dos.');
  expect(suggestSummary(`Corta. ${'larga '.repeat(60)}`)).toBe('Corta.');
  expect(suggestSummary('palabra '.repeat(60))).toMatch(/^palabra( palabra)*…$/);
});
