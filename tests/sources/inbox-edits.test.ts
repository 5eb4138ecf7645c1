// What the desk changes in the fields of a thing, among the content: patches, two that are one, and what of
// them cannot be taken (contract 14.28–14.32).
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editThing } from '../../src/desk/edit-thing.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import type { Patch } from '../../src/domain/patch.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import {
  deletePatch,
  getSource,
  listLeftOut,
  listPatches,
  putPatch,
} from '../../src/inbox/patches.ts';
import { listDecisionsOn } from '../../src/inbox/decisions.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const town = readFixture();
const find = (slug: string, { events }: Dataset = town) =>
  events.find((one) => one.slug.es === slug);
const fair = find('feria-diaria');
const [other, pier] = [
  town.venues.find((one) => one.slug.es !== 'malecon-inventado'),
  town.venues.find((one) => one.slug.es === 'malecon-inventado'),
];
const patch = (changed: Partial<Patch>): void =>
  putPatch(opened.inbox, {
    kind: 'event',
    thing: fair?.id ?? '',
    field: 'tags',
    value: ['puestos'],
    source: ['familia'],
    ...changed,
  });
const read = (ledger: Ledger = EMPTY_LEDGER): Dataset => readDatasetWith(opened.inbox, ledger);
const leftOut = (): readonly string[] => read().ledger.desk?.left_out ?? [];

describe('a patch', () => {
  test('is said instead of the source, of every kind of thing', () => {
    const title = { es: 'Feria de siempre', en: 'The usual fair' };
    patch({});
    patch({ field: 'title', value: title, source: fair?.title });
    patch({ kind: 'venue', thing: pier?.id ?? '', field: 'capacity', value: 40, source: 300 });
    const group = town.organizers[0];
    patch({
      kind: 'organizer',
      thing: group?.id ?? '',
      field: 'name',
      value: 'Otro',
      source: group?.name,
    });
    const notice = town.notices[0];
    const [file = ''] = (notice?.id ?? '').split('-');
    patch({
      kind: 'notice',
      thing: file,
      field: 'zone',
      value: 'downtown',
      source: notice?.zone ?? undefined,
    });
    const now = read();
    const event = now.events.find(({ id }) => id === fair?.id);
    expect(leftOut()).toEqual([]);
    expect([event?.tags, event?.title]).toEqual([['puestos'], title]);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect(now.organizers[0]?.name).toBe('Otro');
    expect(now.notices.find(({ id }) => id === notice?.id)?.zone).toBe('downtown');
  });
  test('takes a field away, and moves an event to another place', () => {
    patch({ field: 'organizer', value: undefined, source: fair?.organizer });
    patch({ field: 'venue', value: other?.id, source: pier?.id });
    const event = find('feria-diaria', read());
    expect([event?.organizer, event?.venue]).toEqual([null, other?.id]);
  });
  test('lies over what came through the form, too', () => {
    const reference = publish(opened.inbox);
    const event = read().events.find(({ title }) => title.en === 'Test night');
    patch({ thing: event?.id ?? '', field: 'tags', value: ['trova'], source: [] });
    expect([reference, read().events.find(({ id }) => id === event?.id)?.tags, leftOut()]).toEqual([
      reference,
      ['trova'],
      [],
    ]);
  });
  test.each<[string, Partial<Patch>]>([
    ['tags', { value: ['Con Espacios'] }],
    ['venue', { field: 'venue', value: 've_notthere' }],
    [
      'when',
      {
        field: 'when',
        value: [{ rrule: 'FREQ=WEEKLY;BYDAY=MO', since: '2026-11-21', until: '2026-11-22' }],
      },
    ],
    ['when', { field: 'when', value: [{ rrule: 'FREQ=SOMETIMES', since: '2026-11-20' }] }],
    ['slug', { field: 'slug', value: town.events.find(({ id }) => id !== fair?.id)?.slug }],
    ['nothing', { field: 'nothing', value: 'x' }],
  ])('that does not pass is left out at %s and stops nothing', (field, changed) => {
    patch({ ...changed });
    patch({ field: 'verified', value: true, source: false });
    const now = read();
    expect(now.ledger.desk?.left_out).toEqual([
      expect.stringMatching(new RegExp(`^${fair?.id} ${field}`)),
    ]);
    expect(find('feria-diaria', now)).toMatchObject({ tags: fair?.tags, verified: true });
  });
  test('goes with others that it needs', () => {
    const [kind, thing] = ['venue', other?.id ?? ''] as const;
    patch({ kind, thing, field: 'lat', value: 21.1, source: undefined });
    expect(leftOut()).toEqual([expect.stringContaining('must have both lat and lng')]);
    patch({ kind, thing, field: 'lng', value: -86.8, source: undefined });
    patch({ kind, thing, field: 'coordinates_source', value: 'fui', source: undefined });
    expect(leftOut()).toEqual([]);
    expect(read().venues.find(({ id }) => id === thing)).toMatchObject({ lat: 21.1, lng: -86.8 });
  });
  test('ends when its source says the same, and the log keeps it', () => {
    patch({ value: ['familia'], source: ['otra'] });
    writeLedger(opened.inbox, read().ledger);
    expect(listPatches(opened.inbox)).toEqual([]);
    expect(listDecisionsOn(opened.inbox, fair?.id ?? '', 5).map(({ action }) => action)).toEqual([
      'end_edit',
    ]);
    expect(getSource(opened.inbox, fair?.id ?? '')).toMatchObject({
      file: 'events/feria-diaria.yml',
      record: { venue: pier?.id, tags: ['familia'] },
    });
  });
  test('that is left out is remembered for the desk, until it is not', () => {
    patch({ value: ['Con Espacios'] });
    writeLedger(opened.inbox, read().ledger);
    expect(listLeftOut(opened.inbox)).toHaveLength(1);
    patch({ value: ['bien'] });
    writeLedger(opened.inbox, read().ledger);
    expect(listLeftOut(opened.inbox)).toEqual([]);
  });
});

describe('two places that are one', () => {
  beforeEach(() => writeLedger(opened.inbox, readFixture().ledger));
  const [old, kept] = [other?.id ?? '', pier?.id ?? ''];
  const readOn = (folder = FIXTURE_DIR): Dataset =>
    readDatasetWith(opened.inbox, readLedger(opened.inbox), FRIDAY_NOON_MS, folder);
  const makeOne = (to = kept): void =>
    patch({ kind: 'venue', thing: old, field: 'same_as', value: to, source: undefined });

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
    expect(getSource(opened.inbox, old)?.file, 'it can be given back').toBe(
      'venues/foro-sin-punto.yml',
    );
    deletePatch(opened.inbox, old, 'same_as');
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
    patch({ kind: 'venue', thing: kept, field: 'same_as', value: third, source: undefined });
    const now = readOn();
    expect([reference.length > 0, now.venues.map(({ id }) => id)]).toEqual([true, [third]]);
    expect(now.slugs.find(({ slug }) => slug === old)?.id).toBe(third);
  });
  test('that go round stay, and what leads to one of them is that one', () => {
    publish(opened.inbox);
    const third = readOn().venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    makeOne();
    const same = { kind: 'venue', field: 'same_as', source: undefined } as const;
    patch({ ...same, thing: kept, value: old });
    patch({ ...same, thing: third, value: old });
    const now = readOn();
    expect(now.venues.map(({ id }) => id).sort()).toEqual([old, kept].sort());
    expect(now.ledger.desk?.left_out).toHaveLength(2);
  });
  test.each([
    ['former_ids of the kept one', 'malecon-inventado', `former_ids: [${old}]`],
    ['same_as of the other', 'foro-sin-punto', `same_as: ${kept}`],
  ])('are one by %s in its file, and what the desk said of it has ended', (_, file, line) => {
    makeOne();
    const said = readOn();
    const folder = join(opened.folder, 'content');
    cpSync(FIXTURE_DIR, folder, { recursive: true });
    appendFileSync(join(folder, `venues/${file}.yml`), `${line}\n`);
    const now = readOn(folder);
    expect([now.venues.length, now.events, now.slugs]).toEqual([1, said.events, said.slugs]);
    writeLedger(opened.inbox, now.ledger);
    expect(listPatches(opened.inbox)).toEqual([]);
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
    const edit = { same_as: old };
    expect(editThing(opened.inbox, ana, kept, edit, 'x', { snapshot, now_ms })).toMatchObject([
      { path: 'same_as' },
    ]);
    expect(listPatches(opened.inbox, kept)).toEqual([]);
    close();
  });
  test.each([['ve_gone'], [old]])('stay two where the other is not there: %s', (to) => {
    makeOne(to);
    const now = readOn();
    expect(now.venues).toEqual(readFixture().venues);
    expect(now.ledger.desk?.left_out).toEqual([`${old} same_as: ${to} is not there any more`]);
  });
});
