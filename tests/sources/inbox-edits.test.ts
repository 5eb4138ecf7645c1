// What the desk says in place of a source: edits, and two that are one (contract 14.28, 14.32).
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { editRecord, getRecord } from '../../src/desk/record-overrides.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { RecordFields } from '../../src/domain/override/record-override.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { loadLedger, saveLedger } from '../../src/inbox/ledger.ts';
import { listOmittedRecords } from '../../src/snapshot/list-records.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { deleteEdit } from '../fixtures/changes.ts';
import { editFields, readSources } from '../fixtures/edits.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openInTest, readFixture } from '../fixtures/fixture.ts';
import { ANA, folder, inbox, useInbox } from '../fixtures/inbox.ts';

useInbox();

const town = readFixture();
const find = (slug: string, { events }: Dataset = town) =>
  events.find((one) => one.slug.es === slug);
const fair = find('feria-diaria');
const FAIR = fair?.id ?? '';
const pier = town.venues.find((one) => one.slug.es === 'malecon-inventado');
const other = town.venues.find((one) => one !== pier);
const edit = async (thing: string, changed: RecordFields): Promise<void> =>
  void (await editFields(inbox, thing, changed));
const read = (ledger: Ledger = EMPTY_LEDGER): Promise<Dataset> => readDatasetWith(inbox, ledger);
/** Content that a test changes. */
function copyContent(): string {
  const content = join(folder, 'content');
  cpSync(FIXTURE_DIR, content, { recursive: true });
  return content;
}
/** What the desk says to an edit, as an editor makes it. */
async function tryEdit(thing: string, changed: RecordFields) {
  const sources = await readSources(inbox);
  const at = { snapshot: openInTest(town), now_ms: FRIDAY_NOON_MS, sources };
  const issues = await editRecord(inbox, ANA, thing, changed, 'Otra vez', at);
  return new Set(issues.map(({ path }) => path.split('.')[0]));
}

describe('an edit', () => {
  test('is said instead of the source, of every kind of thing and of what came through the form', async () => {
    await publish(inbox);
    const night = (await read()).events.find(({ title }) => title.en === 'Test night')?.id ?? '';
    const title = { es: 'Feria de siempre', en: 'The usual fair' };
    await edit(FAIR, { tags: ['puestos'] });
    await edit(FAIR, { title, organizer: undefined, venue: other?.id });
    await edit(night, { tags: ['trova'] });
    await edit(pier?.id ?? '', { capacity: 40 });
    await edit(town.organizers[0]?.id ?? '', { name: 'Otro' });
    const notice = town.notices[0];
    await edit((notice?.id ?? '').split('-')[0] ?? '', { zone: 'downtown' });
    const now = await read();
    expect(now.left_out).toEqual([]);
    expect(now.events.find(({ id }) => id === FAIR)).toMatchObject({
      ...{ tags: ['puestos'], title, organizer: null, venue: other?.id },
    });
    expect(now.events.find(({ id }) => id === night)?.tags).toEqual(['trova']);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect(now.organizers.map(({ name }) => name)).toContain('Otro');
    expect(now.notices.find(({ id }) => id === notice?.id)?.zone).toBe('downtown');
  });

  test('leaves to the source what is decided elsewhere: which days are called off', async () => {
    await edit(FAIR, { title: { es: 'Otra', en: 'Another' }, changes: [], status: 'cancelled' });
    const off = ({ occurrences }: Dataset) =>
      occurrences.filter(({ event, status }) => event === FAIR && status !== 'scheduled');
    expect(off(await read()).map(({ id }) => id)).toEqual(off(town).map(({ id }) => id));
    expect(off(town)).toHaveLength(1);
  });

  const NO_RULE = { when: [{ rrule: 'FREQ=SOMETIMES', since: '2026-11-20' }] };
  const TAKEN = { slug: town.events.find(({ id }) => id !== FAIR)?.slug };

  test('that does not pass is left out and named, by the snapshot too, and stops nothing', async () => {
    const FAULTY: readonly (readonly [string, RecordFields])[] = [
      ['tags', { tags: ['Con Espacios'] }],
      ['venue', { venue: 've_notthere' }],
      ['when', NO_RULE],
      ['slug', TAKEN],
    ];
    const others = town.events.filter(({ slug }) => slug.es !== TAKEN.slug?.es);
    const edited = FAULTY.map(([field, changed], n) => {
      return { id: others[n]?.id ?? '', field, changed };
    });
    for (const { id, changed } of edited) await edit(id, { ...changed, verified: true });
    await edit(pier?.id ?? '', { capacity: 40, name: 'Malecón de Siempre' });
    const now = await read();
    const named = edited.map(({ id, field }) => `${id} ${field}`);
    expect(now.left_out.map((line) => line.split(/[:.]/)[0]).sort()).toEqual(named.sort());
    expect(now.events).toEqual(town.events);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect([...listOmittedRecords(openInTest(now))].sort()).toEqual([...now.left_out].sort());
  });

  test('is not stored at the desk where a release would leave it out', async () => {
    expect(await tryEdit(FAIR, NO_RULE)).toEqual(new Set(['when']));
    expect(await tryEdit(FAIR, TAKEN)).toEqual(new Set(['slug']));
    expect((await loadAppliedChanges(inbox)).edits).toEqual([]);
  });

  test('is outdated once its source says something else than when it was made', async () => {
    await edit(FAIR, { verified: true });
    const content = copyContent();
    const isOutdated = async () =>
      (await getRecord(inbox, await readSources(inbox, content), FAIR))?.is_outdated;
    const path = join(content, 'events/feria-diaria.yml');
    writeFileSync(path, `status: cancelled\n${readFileSync(path, 'utf8')}`);
    expect(await isOutdated(), 'nothing that is edited').toBe(false);
    writeFileSync(path, readFileSync(path, 'utf8').replace('[familia]', '[familia, nueva]'));
    expect(await isOutdated()).toBe(true);
  });
});

describe('two places that are one', () => {
  beforeEach(() => saveLedger(inbox, town.ledger));
  const [old, kept] = [other?.id ?? '', pier?.id ?? ''];
  const readOn = async (content = FIXTURE_DIR): Promise<Dataset> =>
    readDatasetWith(inbox, await loadLedger(inbox), FRIDAY_NOON_MS, content);
  const makeOne = (to = kept): Promise<void> => edit(old, { same_as: to });

  test('have the events of both, and the addresses of both, until they are two again', async () => {
    const before = await readOn();
    await makeOne();
    const now = await readOn();
    expect(now.venues.map(({ id }) => id)).not.toContain(old);
    const count = (town: Dataset, ...ids: readonly string[]) =>
      town.events.filter(({ venue }) => ids.includes(venue ?? '')).length;
    expect(count(now, kept)).toBe(count(before, kept, old));
    const leads = new Map(now.slugs.map(({ slug, id }) => [slug, id]));
    expect([leads.get(other?.slug.es ?? ''), leads.get(old)]).toEqual([kept, kept]);
    expect(now.withdrawn.map(({ slug }) => slug)).not.toContain(old);
    await saveLedger(inbox, now.ledger);
    const source = await (await readSources(inbox)).get(old);
    expect(source?.file, 'it can be given back').toBe('venues/foro-sin-punto.yml');
    await deleteEdit(inbox, old);
    const parts = ({ venues, slugs, events }: Dataset) => [venues, slugs, events];
    expect(parts(await readOn())).toEqual(parts(before));
  });
  test('lead on to a third; that go round stay, and what leads to one of them is that one', async () => {
    await publish(inbox);
    const third = (await readOn()).venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    await makeOne();
    await edit(kept, { same_as: third });
    const now = await readOn();
    expect(now.venues.map(({ id }) => id)).toEqual([third]);
    expect(now.slugs.find(({ slug }) => slug === old)?.id).toBe(third);
    await edit(kept, { same_as: old });
    await edit(third, { same_as: old });
    const round = await readOn();
    expect(round.venues.map(({ id }) => id).sort()).toEqual([old, kept].sort());
    expect(round.left_out).toHaveLength(2);
  });
  test.each([
    ['former_ids of the kept one', 'malecon-inventado', `former_ids: [${old}]`],
    ['same_as of the other', 'foro-sin-punto', `same_as: ${kept}`],
  ])('are one by %s in its file, with a word of the desk and without', async (_, file, line) => {
    await makeOne();
    const said = await readOn();
    const content = copyContent();
    appendFileSync(join(content, `venues/${file}.yml`), `${line}\n`);
    const now = await readOn(content);
    expect([now.venues.length, now.events, now.slugs]).toEqual([1, said.events, said.slugs]);
    await saveLedger(inbox, now.ledger);
    await deleteEdit(inbox, old);
    expect((await readOn(content)).slugs).toEqual(said.slugs);
  });
  test('are not made one the other way round, too', async () => {
    await makeOne();
    expect(await tryEdit(kept, { same_as: old })).toEqual(new Set(['same_as']));
    expect((await loadAppliedChanges(inbox, kept)).edits).toEqual([]);
  });
  test.each([['ve_gone'], [old]])('stay two where the other is not there: %s', async (to) => {
    await makeOne(to);
    const now = await readOn();
    expect(now.venues).toEqual(town.venues);
    expect(now.left_out).toEqual([`${old} same_as: ${to} is not there any more`]);
  });
});
