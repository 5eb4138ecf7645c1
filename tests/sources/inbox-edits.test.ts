// What the desk says in place of a source, among the content: edits, two that are one, and what of them cannot
// be taken (contract 14.28–14.32).
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editThing, readThing } from '../../src/desk/edit-thing.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { ThingRecord } from '../../src/domain/edit/edit.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import { listEdits } from '../../src/inbox/applied.ts';
import { deleteEdit } from '../fixtures/changes.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { listLeftOut } from '../../src/snapshot/list-things.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { editFields, readSources } from '../fixtures/edits.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const town = readFixture();
const find = (slug: string, { events }: Dataset = town) =>
  events.find((one) => one.slug.es === slug);
const fair = find('feria-diaria');
const FAIR = fair?.id ?? '';
const [other, pier] = [
  town.venues.find((one) => one.slug.es !== 'malecon-inventado'),
  town.venues.find((one) => one.slug.es === 'malecon-inventado'),
];
const edit = (thing: string, changed: ThingRecord): void =>
  void editFields(opened.inbox, thing, changed);
const read = (ledger: Ledger = EMPTY_LEDGER): Dataset => readDatasetWith(opened.inbox, ledger);

describe('an edit', () => {
  test('is said instead of the source, of every kind of thing', () => {
    const title = { es: 'Feria de siempre', en: 'The usual fair' };
    edit(FAIR, { tags: ['puestos'] });
    edit(FAIR, { title });
    edit(pier?.id ?? '', { capacity: 40 });
    edit(town.organizers[0]?.id ?? '', { name: 'Otro' });
    const notice = town.notices[0];
    edit((notice?.id ?? '').split('-')[0] ?? '', { zone: 'downtown' });
    const now = read();
    const event = now.events.find(({ id }) => id === FAIR);
    expect(now.left_out).toEqual([]);
    expect([event?.tags, event?.title]).toEqual([['puestos'], title]);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect(now.organizers[0]?.name).toBe('Otro');
    expect(now.notices.find(({ id }) => id === notice?.id)?.zone).toBe('downtown');
  });
  test('takes a field away, and moves an event to another place', () => {
    edit(FAIR, { organizer: undefined, venue: other?.id });
    const event = find('feria-diaria', read());
    expect([event?.organizer, event?.venue]).toEqual([null, other?.id]);
  });
  test('stands in place of what came through the form, too', () => {
    publish(opened.inbox);
    const id = read().events.find(({ title }) => title.en === 'Test night')?.id ?? '';
    edit(id, { tags: ['trova'] });
    const now = read();
    expect([now.events.find((event) => event.id === id)?.tags, now.left_out]).toEqual([
      ['trova'],
      [],
    ]);
  });
  test('leaves to the source what is decided elsewhere: which days are called off', () => {
    edit(FAIR, { title: { es: 'Otra', en: 'Another' }, changes: [], status: 'cancelled' });
    const off = ({ occurrences }: Dataset) =>
      occurrences.filter(({ event, status }) => event === FAIR && status !== 'scheduled');
    expect(off(read()).map(({ id }) => id)).toEqual(off(town).map(({ id }) => id));
    expect(off(town)).toHaveLength(1);
  });
  test.each<[string, ThingRecord]>([
    ['tags', { tags: ['Con Espacios'] }],
    ['venue', { venue: 've_notthere' }],
    [
      'when',
      { when: [{ rrule: 'FREQ=WEEKLY;BYDAY=MO', since: '2026-11-21', until: '2026-11-22' }] },
    ],
    ['when', { when: [{ rrule: 'FREQ=SOMETIMES', since: '2026-11-20' }] }],
    ['slug', { slug: town.events.find(({ id }) => id !== FAIR)?.slug }],
  ])('that does not pass is left out at %s and stops nothing', (field, changed) => {
    edit(FAIR, { ...changed, verified: true });
    edit(pier?.id ?? '', { capacity: 40 });
    const now = read();
    expect(now.left_out).toEqual([expect.stringMatching(new RegExp(`^${FAIR} ${field}`))]);
    expect(find('feria-diaria', now)).toMatchObject({ tags: fair?.tags, verified: fair?.verified });
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
  });
  test('that is left out is told by the snapshot, for the desk', () => {
    edit(FAIR, { tags: ['Con Espacios'] });
    const { snapshot, close } = openFixture(read());
    expect(listLeftOut(snapshot)).toEqual([expect.stringContaining(FAIR)]);
    close();
  });
  test('is outdated once its source says something else than when it was made', () => {
    edit(FAIR, { verified: true });
    const folder = join(opened.folder, 'content');
    cpSync(FIXTURE_DIR, folder, { recursive: true });
    const isOutdated = () =>
      readThing(opened.inbox, readSources(opened.inbox, folder), FAIR)?.is_outdated;
    const path = join(folder, 'events/feria-diaria.yml');
    writeFileSync(path, `status: cancelled\n${readFileSync(path, 'utf8')}`);
    expect(isOutdated(), 'nothing that is edited').toBe(false);
    writeFileSync(path, readFileSync(path, 'utf8').replace('[familia]', '[familia, nueva]'));
    expect(isOutdated()).toBe(true);
  });
});

describe('two places that are one', () => {
  beforeEach(() => writeLedger(opened.inbox, readFixture().ledger));
  const [old, kept] = [other?.id ?? '', pier?.id ?? ''];
  const readOn = (folder = FIXTURE_DIR): Dataset =>
    readDatasetWith(opened.inbox, readLedger(opened.inbox), FRIDAY_NOON_MS, folder);
  const makeOne = (to = kept): void => edit(old, { same_as: to });

  test('have the events of both, and the addresses of both, until they are two again', () => {
    const before = readOn();
    makeOne();
    const now = readOn();
    expect(now.venues.map(({ id }) => id)).not.toContain(old);
    expect(now.events.filter(({ venue }) => venue === kept).length).toBe(
      before.events.filter(({ venue }) => venue === kept || venue === old).length,
    );
    const leads = new Map(now.slugs.map(({ slug, id }) => [slug, id]));
    expect([leads.get(other?.slug.es ?? ''), leads.get(old)]).toEqual([kept, kept]);
    expect(now.withdrawn.map(({ slug }) => slug)).not.toContain(old);
    writeLedger(opened.inbox, now.ledger);
    expect(readSources(opened.inbox).get(old)?.file, 'it can be given back').toBe(
      'venues/foro-sin-punto.yml',
    );
    deleteEdit(opened.inbox, old);
    const again = readOn();
    expect([again.venues, again.slugs, again.events]).toEqual([
      before.venues,
      before.slugs,
      before.events,
    ]);
  });
  test('lead on to a third, which is the same as neither before', () => {
    const reference = publish(opened.inbox);
    const third = readOn().venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    makeOne();
    edit(kept, { same_as: third });
    const now = readOn();
    expect([reference.length > 0, now.venues.map(({ id }) => id)]).toEqual([true, [third]]);
    expect(now.slugs.find(({ slug }) => slug === old)?.id).toBe(third);
  });
  test('that go round stay, and what leads to one of them is that one', () => {
    publish(opened.inbox);
    const third = readOn().venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    makeOne();
    edit(kept, { same_as: old });
    edit(third, { same_as: old });
    const now = readOn();
    expect(now.venues.map(({ id }) => id).sort()).toEqual([old, kept].sort());
    expect(now.left_out).toHaveLength(2);
  });
  test.each([
    ['former_ids of the kept one', 'malecon-inventado', `former_ids: [${old}]`],
    ['same_as of the other', 'foro-sin-punto', `same_as: ${kept}`],
  ])('are one by %s in its file, with what the desk said of it and without', (_, file, line) => {
    makeOne();
    const said = readOn();
    const folder = join(opened.folder, 'content');
    cpSync(FIXTURE_DIR, folder, { recursive: true });
    appendFileSync(join(folder, `venues/${file}.yml`), `${line}\n`);
    const now = readOn(folder);
    expect([now.venues.length, now.events, now.slugs]).toEqual([1, said.events, said.slugs]);
    writeLedger(opened.inbox, now.ledger);
    deleteEdit(opened.inbox, old);
    expect(readOn(folder).slugs).toEqual(said.slugs);
  });
  test('are one by former_ids where the other file is gone', () => {
    const folder = join(opened.folder, 'content');
    cpSync(FIXTURE_DIR, folder, { recursive: true });
    appendFileSync(join(folder, 'venues/malecon-inventado.yml'), `former_ids: [${old}]\n`);
    const both = readOn(folder);
    rmSync(join(folder, 'venues/foro-sin-punto.yml'));
    for (const name of ['fiesta-de-viernes', 'obra-pospuesta']) {
      const file = join(folder, `events/${name}.yml`);
      const text = readFileSync(file, 'utf8').replace('foro-sin-punto', 'malecon-inventado');
      writeFileSync(file, text);
    }
    const alone = readOn(folder);
    expect([alone.venues, alone.events, alone.slugs]).toEqual([
      both.venues,
      both.events,
      both.slugs,
    ]);
    expect(alone.slugs.find(({ slug }) => slug === old)?.id).toBe(kept);
  });
  test('are not made one the other way round, too', () => {
    makeOne();
    const { snapshot, close } = openFixture();
    const [ana, now_ms] = [{ editor: 'ana', now_ms: FRIDAY_NOON_MS }, FRIDAY_NOON_MS];
    const town = { snapshot, now_ms, sources: readSources(opened.inbox) };
    const issues = editThing(opened.inbox, ana, kept, { same_as: old }, 'x', town);
    expect(issues).toMatchObject([{ path: 'same_as' }]);
    expect(listEdits(opened.inbox, kept)).toEqual([]);
    close();
  });
  test.each([['ve_gone'], [old]])('stay two where the other is not there: %s', (to) => {
    makeOne(to);
    const now = readOn();
    expect(now.venues).toEqual(readFixture().venues);
    expect(now.left_out).toEqual([`${old} same_as: ${to} is not there any more`]);
  });
});
