// What the desk says in place of a source, among the content: edits, two that are one, and what of them cannot
// be taken (contract 14.28–14.32).
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editThing, readThing } from '../../src/desk/things.ts';
import { readApplied } from '../../src/inbox/applied.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { ThingRecord } from '../../src/domain/edit/edit.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import { deleteEdit } from '../fixtures/changes.ts';
import { listLeftOut } from '../../src/snapshot/list-things.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { editFields, readSources } from '../fixtures/edits.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';

let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
beforeEach(async () => {
  opened = await openFixtureInbox();
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
const edit = async (thing: string, changed: ThingRecord): Promise<void> =>
  void (await editFields(opened.inbox, thing, changed));
const read = (ledger: Ledger = EMPTY_LEDGER): Promise<Dataset> =>
  readDatasetWith(opened.inbox, ledger);

describe('an edit', () => {
  test('is said instead of the source, of every kind of thing', async () => {
    const title = { es: 'Feria de siempre', en: 'The usual fair' };
    await edit(FAIR, { tags: ['puestos'] });
    await edit(FAIR, { title });
    await edit(pier?.id ?? '', { capacity: 40 });
    await edit(town.organizers[0]?.id ?? '', { name: 'Otro' });
    const notice = town.notices[0];
    await edit((notice?.id ?? '').split('-')[0] ?? '', { zone: 'downtown' });
    const now = await read();
    const event = now.events.find(({ id }) => id === FAIR);
    expect(now.left_out).toEqual([]);
    expect([event?.tags, event?.title]).toEqual([['puestos'], title]);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect(now.organizers[0]?.name).toBe('Otro');
    expect(now.notices.find(({ id }) => id === notice?.id)?.zone).toBe('downtown');
  });
  test('takes a field away, and moves an event to another place', async () => {
    await edit(FAIR, { organizer: undefined, venue: other?.id });
    const event = find('feria-diaria', await read());
    expect([event?.organizer, event?.venue]).toEqual([null, other?.id]);
  });
  test('stands in place of what came through the form, too', async () => {
    await publish(opened.inbox);
    const id = (await read()).events.find(({ title }) => title.en === 'Test night')?.id ?? '';
    await edit(id, { tags: ['trova'] });
    const now = await read();
    expect([now.events.find((event) => event.id === id)?.tags, now.left_out]).toEqual([
      ['trova'],
      [],
    ]);
  });
  test('leaves to the source what is decided elsewhere: which days are called off', async () => {
    await edit(FAIR, { title: { es: 'Otra', en: 'Another' }, changes: [], status: 'cancelled' });
    const off = ({ occurrences }: Dataset) =>
      occurrences.filter(({ event, status }) => event === FAIR && status !== 'scheduled');
    expect(off(await read()).map(({ id }) => id)).toEqual(off(town).map(({ id }) => id));
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
  ])('that does not pass is left out at %s and stops nothing', async (field, changed) => {
    await edit(FAIR, { ...changed, verified: true });
    await edit(pier?.id ?? '', { capacity: 40 });
    const now = await read();
    expect(now.left_out).toEqual([expect.stringMatching(new RegExp(`^${FAIR} ${field}`))]);
    expect(find('feria-diaria', now)).toMatchObject({ tags: fair?.tags, verified: fair?.verified });
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
  });
  test.each<[string, ThingRecord]>([
    ['when', { when: [{ rrule: 'FREQ=SOMETIMES', since: '2026-11-20' }] }],
    ['slug', { slug: town.events.find(({ id }) => id !== FAIR)?.slug }],
  ])(
    'is not stored at the desk where a release would leave it out, at %s',
    async (field, changed) => {
      const { snapshot, close } = openFixture(town);
      const sources = await readSources(opened.inbox);
      const at = { snapshot, now_ms: FRIDAY_NOON_MS, sources };
      const by = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
      const issues = await editThing(opened.inbox, by, FAIR, changed, 'Otra vez', at);
      expect(new Set(issues.map(({ path }) => path.split('.')[0]))).toEqual(new Set([field]));
      expect((await readApplied(opened.inbox)).edits).toEqual([]);
      close();
    },
  );
  test('that is left out is told by the snapshot, for the desk', async () => {
    await edit(FAIR, { tags: ['Con Espacios'] });
    const { snapshot, close } = openFixture(await read());
    expect(listLeftOut(snapshot)).toEqual([expect.stringContaining(FAIR)]);
    close();
  });
  test('is outdated once its source says something else than when it was made', async () => {
    await edit(FAIR, { verified: true });
    const folder = join(opened.folder, 'content');
    cpSync(FIXTURE_DIR, folder, { recursive: true });
    const isOutdated = async () =>
      (await readThing(opened.inbox, await readSources(opened.inbox, folder), FAIR))?.is_outdated;
    const path = join(folder, 'events/feria-diaria.yml');
    writeFileSync(path, `status: cancelled\n${readFileSync(path, 'utf8')}`);
    expect(await isOutdated(), 'nothing that is edited').toBe(false);
    writeFileSync(path, readFileSync(path, 'utf8').replace('[familia]', '[familia, nueva]'));
    expect(await isOutdated()).toBe(true);
  });
});

describe('two places that are one', () => {
  beforeEach(() => writeLedger(opened.inbox, readFixture().ledger));
  const [old, kept] = [other?.id ?? '', pier?.id ?? ''];
  const readOn = async (folder = FIXTURE_DIR): Promise<Dataset> =>
    readDatasetWith(opened.inbox, await readLedger(opened.inbox), FRIDAY_NOON_MS, folder);
  const makeOne = (to = kept): Promise<void> => edit(old, { same_as: to });

  test('have the events of both, and the addresses of both, until they are two again', async () => {
    const before = await readOn();
    await makeOne();
    const now = await readOn();
    expect(now.venues.map(({ id }) => id)).not.toContain(old);
    expect(now.events.filter(({ venue }) => venue === kept).length).toBe(
      before.events.filter(({ venue }) => venue === kept || venue === old).length,
    );
    const leads = new Map(now.slugs.map(({ slug, id }) => [slug, id]));
    expect([leads.get(other?.slug.es ?? ''), leads.get(old)]).toEqual([kept, kept]);
    expect(now.withdrawn.map(({ slug }) => slug)).not.toContain(old);
    await writeLedger(opened.inbox, now.ledger);
    expect((await (await readSources(opened.inbox)).get(old))?.file, 'it can be given back').toBe(
      'venues/foro-sin-punto.yml',
    );
    await deleteEdit(opened.inbox, old);
    const again = await readOn();
    expect([again.venues, again.slugs, again.events]).toEqual([
      before.venues,
      before.slugs,
      before.events,
    ]);
  });
  test('lead on to a third, which is the same as neither before', async () => {
    const reference = await publish(opened.inbox);
    const third = (await readOn()).venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    await makeOne();
    await edit(kept, { same_as: third });
    const now = await readOn();
    expect([reference.length > 0, now.venues.map(({ id }) => id)]).toEqual([true, [third]]);
    expect(now.slugs.find(({ slug }) => slug === old)?.id).toBe(third);
  });
  test('that go round stay, and what leads to one of them is that one', async () => {
    await publish(opened.inbox);
    const third = (await readOn()).venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    await makeOne();
    await edit(kept, { same_as: old });
    await edit(third, { same_as: old });
    const now = await readOn();
    expect(now.venues.map(({ id }) => id).sort()).toEqual([old, kept].sort());
    expect(now.left_out).toHaveLength(2);
  });
  test.each([
    ['former_ids of the kept one', 'malecon-inventado', `former_ids: [${old}]`],
    ['same_as of the other', 'foro-sin-punto', `same_as: ${kept}`],
  ])(
    'are one by %s in its file, with what the desk said of it and without',
    async (_, file, line) => {
      await makeOne();
      const said = await readOn();
      const folder = join(opened.folder, 'content');
      cpSync(FIXTURE_DIR, folder, { recursive: true });
      appendFileSync(join(folder, `venues/${file}.yml`), `${line}\n`);
      const now = await readOn(folder);
      expect([now.venues.length, now.events, now.slugs]).toEqual([1, said.events, said.slugs]);
      await writeLedger(opened.inbox, now.ledger);
      await deleteEdit(opened.inbox, old);
      expect((await readOn(folder)).slugs).toEqual(said.slugs);
    },
  );
  test('are one by former_ids where the other file is gone', async () => {
    const folder = join(opened.folder, 'content');
    cpSync(FIXTURE_DIR, folder, { recursive: true });
    appendFileSync(join(folder, 'venues/malecon-inventado.yml'), `former_ids: [${old}]\n`);
    const both = await readOn(folder);
    rmSync(join(folder, 'venues/foro-sin-punto.yml'));
    for (const name of ['fiesta-de-viernes', 'obra-pospuesta']) {
      const file = join(folder, `events/${name}.yml`);
      const text = readFileSync(file, 'utf8').replace('foro-sin-punto', 'malecon-inventado');
      writeFileSync(file, text);
    }
    const alone = await readOn(folder);
    expect([alone.venues, alone.events, alone.slugs]).toEqual([
      both.venues,
      both.events,
      both.slugs,
    ]);
    expect(alone.slugs.find(({ slug }) => slug === old)?.id).toBe(kept);
  });
  test('are not made one the other way round, too', async () => {
    await makeOne();
    const { snapshot, close } = openFixture();
    const [ana, now_ms] = [{ editor: 'ana', now_ms: FRIDAY_NOON_MS }, FRIDAY_NOON_MS];
    const town = { snapshot, now_ms, sources: await readSources(opened.inbox) };
    const issues = await editThing(opened.inbox, ana, kept, { same_as: old }, 'x', town);
    expect(issues).toMatchObject([{ path: 'same_as' }]);
    expect((await readApplied(opened.inbox, kept)).edits).toEqual([]);
    close();
  });
  test.each([['ve_gone'], [old]])('stay two where the other is not there: %s', async (to) => {
    await makeOne(to);
    const now = await readOn();
    expect(now.venues).toEqual(readFixture().venues);
    expect(now.left_out).toEqual([`${old} same_as: ${to} is not there any more`]);
  });
});
