// Record overrides in releases: tests overrides of editors, and merged duplicates (contract 14.28, 14.32).
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { editRecord, getRecord } from '../../src/desk/record-overrides.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { RecordFields } from '../../src/domain/override/record-override.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { loadLedger, saveLedger } from '../../src/inbox/ledger.ts';
import { listOmittedRecords } from '../../src/snapshot/list-records.ts';
import { publish, loadDatasetWithInbox } from '../fixtures/approved.ts';
import { revertOverride } from '../fixtures/changes.ts';
import { editFields, loadRecordSources } from '../fixtures/edits.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openTestSnapshot, loadFixture } from '../fixtures/fixture.ts';
import { ANA, folder, inbox, useInbox } from '../fixtures/inbox.ts';

useInbox();

const town = loadFixture();
const find = (slug: string, { events }: Dataset = town) =>
  events.find((event) => event.slug.es === slug);
const fair = find('feria-diaria');
const FAIR = fair?.id ?? '';
const pier = town.venues.find((venue) => venue.slug.es === 'malecon-inventado');
const other = town.venues.find((venue) => venue !== pier);
const edit = async (thing: string, changed: RecordFields): Promise<void> =>
  void (await editFields(inbox, thing, changed));
const read = (ledger: Ledger = EMPTY_LEDGER): Promise<Dataset> =>
  loadDatasetWithInbox(inbox, ledger);
/** Copies the content, so that a test can change it. */
function copyContent(): string {
  const content = join(folder, 'content');
  cpSync(FIXTURE_DIR, content, { recursive: true });
  return content;
}
/** Overrides fields at the desk as an editor does, and returns the fields with issues. */
async function tryEdit(thing: string, changed: RecordFields) {
  const sources = await loadRecordSources(inbox);
  const at = { snapshot: openTestSnapshot(town), now_ms: FRIDAY_NOON_MS, sources };
  const issues = await editRecord(inbox, ANA, thing, changed, 'Otra vez', at);
  return new Set(issues.map(({ path }) => path.split('.')[0]));
}

describe('an override', () => {
  test('replaces the source, for every record kind and for approved submissions', async () => {
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
    expect(now.omitted).toEqual([]);
    expect(now.events.find(({ id }) => id === FAIR)).toMatchObject({
      ...{ tags: ['puestos'], title, organizer: null, venue: other?.id },
    });
    expect(now.events.find(({ id }) => id === night)?.tags).toEqual(['trova']);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect(now.organizers.map(({ name }) => name)).toContain('Otro');
    expect(now.notices.find(({ id }) => id === notice?.id)?.zone).toBe('downtown');
  });

  test('does not change fields without a form control, such as cancelled days', async () => {
    await edit(FAIR, { title: { es: 'Otra', en: 'Another' }, changes: [], status: 'cancelled' });
    const off = ({ occurrences }: Dataset) =>
      occurrences.filter(({ event, status }) => event === FAIR && status !== 'scheduled');
    expect(off(await read()).map(({ id }) => id)).toEqual(off(town).map(({ id }) => id));
    expect(off(town)).toHaveLength(1);
  });

  const NO_RULE = { when: [{ rrule: 'FREQ=SOMETIMES', since: '2026-11-20' }] };
  const TAKEN = { slug: town.events.find(({ id }) => id !== FAIR)?.slug };

  test('that is invalid is left out and reported, in the snapshot too, and does not stop a release', async () => {
    const INVALID: readonly (readonly [string, RecordFields])[] = [
      ['tags', { tags: ['Con Espacios'] }],
      ['venue', { venue: 've_notthere' }],
      ['when', NO_RULE],
      ['slug', TAKEN],
    ];
    const others = town.events.filter(({ slug }) => slug.es !== TAKEN.slug?.es);
    const edited = INVALID.map(([field, changed], n) => {
      return { id: others[n]?.id ?? '', field, changed };
    });
    for (const { id, changed } of edited) await edit(id, { ...changed, verified: true });
    await edit(pier?.id ?? '', { capacity: 40, name: 'Malecón de Siempre' });
    const now = await read();
    const expected = edited.map(({ id, field }) => `${id} ${field}`);
    expect(now.omitted.map((line) => line.split(/[:.]/)[0]).sort()).toEqual(expected.sort());
    expect(now.events).toEqual(town.events);
    expect(now.venues.find(({ id }) => id === pier?.id)?.capacity).toBe(40);
    expect([...listOmittedRecords(openTestSnapshot(now))].sort()).toEqual([...now.omitted].sort());
  });

  test('is not stored at the desk if a release would leave it out', async () => {
    expect(await tryEdit(FAIR, NO_RULE)).toEqual(new Set(['when']));
    expect(await tryEdit(FAIR, TAKEN)).toEqual(new Set(['slug']));
    expect((await loadAppliedChanges(inbox)).edits).toEqual([]);
  });

  test('is outdated once an editable field of its source has changed', async () => {
    await edit(FAIR, { verified: true });
    const content = copyContent();
    const isOutdated = async () =>
      (await getRecord(inbox, await loadRecordSources(inbox, content), FAIR))?.is_outdated;
    const path = join(content, 'events/feria-diaria.yml');
    writeFileSync(path, `status: cancelled\n${readFileSync(path, 'utf8')}`);
    expect(await isOutdated(), 'not an editable field').toBe(false);
    writeFileSync(path, readFileSync(path, 'utf8').replace('[familia]', '[familia, nueva]'));
    expect(await isOutdated()).toBe(true);
  });
});

describe('two duplicate venues', () => {
  beforeEach(() => saveLedger(inbox, town.ledger));
  const [duplicate, survivor] = [other?.id ?? '', pier?.id ?? ''];
  const readOn = async (content = FIXTURE_DIR): Promise<Dataset> =>
    loadDatasetWithInbox(inbox, await loadLedger(inbox), FRIDAY_NOON_MS, content);
  const merge = (to = survivor): Promise<void> => edit(duplicate, { same_as: to });

  test('become one with the events and slugs of both, until the merge is reverted', async () => {
    const before = await readOn();
    await merge();
    const now = await readOn();
    expect(now.venues.map(({ id }) => id)).not.toContain(duplicate);
    const count = (town: Dataset, ...ids: readonly string[]) =>
      town.events.filter(({ venue }) => ids.includes(venue ?? '')).length;
    expect(count(now, survivor)).toBe(count(before, survivor, duplicate));
    const targets = new Map(now.slugs.map(({ slug, id }) => [slug, id]));
    expect([targets.get(other?.slug.es ?? ''), targets.get(duplicate)]).toEqual([
      survivor,
      survivor,
    ]);
    expect(now.withdrawn.map(({ slug }) => slug)).not.toContain(duplicate);
    await saveLedger(inbox, now.ledger);
    const source = await (await loadRecordSources(inbox)).get(duplicate);
    expect(source?.file, 'it can be reverted').toBe('venues/foro-sin-punto.yml');
    await revertOverride(inbox, duplicate);
    const parts = ({ venues, slugs, events }: Dataset) => [venues, slugs, events];
    expect(parts(await readOn())).toEqual(parts(before));
  });
  test('redirect to a third venue; a cycle is left out, and a link to a member of it still works', async () => {
    await publish(inbox);
    const third = (await readOn()).venues.find(({ name }) => name === 'Patio Inventado')?.id ?? '';
    await merge();
    await edit(survivor, { same_as: third });
    const now = await readOn();
    expect(now.venues.map(({ id }) => id)).toEqual([third]);
    expect(now.slugs.find(({ slug }) => slug === duplicate)?.id).toBe(third);
    await edit(survivor, { same_as: duplicate });
    await edit(third, { same_as: duplicate });
    const cyclic = await readOn();
    expect(cyclic.venues.map(({ id }) => id).sort()).toEqual([duplicate, survivor].sort());
    expect(cyclic.omitted).toHaveLength(2);
  });
  test.each([
    ['former_ids of the survivor', 'malecon-inventado', `former_ids: [${duplicate}]`],
    ['same_as of the duplicate', 'foro-sin-punto', `same_as: ${survivor}`],
  ])('are merged by %s in its file, with and without an override', async (_, file, line) => {
    await merge();
    const overridden = await readOn();
    const content = copyContent();
    appendFileSync(join(content, `venues/${file}.yml`), `${line}\n`);
    const now = await readOn(content);
    expect([now.venues.length, now.events, now.slugs]).toEqual([
      1,
      overridden.events,
      overridden.slugs,
    ]);
    await saveLedger(inbox, now.ledger);
    await revertOverride(inbox, duplicate);
    expect((await readOn(content)).slugs).toEqual(overridden.slugs);
  });
  describe.each([
    ['same_as of the duplicate', 'foro-sin-punto', `same_as: ${survivor}`],
    ['former_ids of the survivor', 'malecon-inventado', `former_ids: [${duplicate}]`],
    ['an override', null, ''],
  ])('that were merged by %s', (_, file, line) => {
    const OLD_NAME = { kind: 'venue', slug: 'foro-de-antes', id: duplicate } as const;
    /** Merges the venues, releases that, and then deletes the duplicate's file and the link. */
    async function mergeAndDelete() {
      const { ledger } = town;
      await saveLedger(inbox, { ...ledger, slugs: [...ledger.slugs, OLD_NAME] });
      const content = copyContent();
      const path = (name: string) => join(content, 'venues', `${name}.yml`);
      if (file === null) await merge();
      else appendFileSync(path(file), `${line}\n`);
      await release(content);
      rmSync(path('foro-sin-punto'));
      cpSync(join(FIXTURE_DIR, 'venues/malecon-inventado.yml'), path('malecon-inventado'));
      for (const event of ['obra-pospuesta', 'fiesta-de-viernes']) {
        const event_path = join(content, 'events', `${event}.yml`);
        const text = readFileSync(event_path, 'utf8');
        writeFileSync(event_path, text.replace('foro-sin-punto', 'malecon-inventado'));
      }
      return content;
    }
    async function release(content: string) {
      const previous = await loadLedger(inbox);
      const dataset = await readOn(content);
      await saveLedger(inbox, dataset.ledger, previous);
      const targets = new Map(dataset.slugs.map(({ slug, id }) => [slug, id]));
      const addresses = [other?.slug.es ?? '', OLD_NAME.slug, duplicate];
      return { dataset, owners: addresses.map((address) => targets.get(address)) };
    }

    test('still redirect after the file of the duplicate is deleted', async () => {
      const content = await mergeAndDelete();
      for (let times = 0; times < 2; times += 1) {
        const { dataset, owners } = await release(content);
        expect(owners).toEqual([survivor, survivor, survivor]);
        const withdrawn = dataset.withdrawn.filter(({ kind }) => kind === 'venue');
        expect([withdrawn, dataset.omitted]).toEqual([[], []]);
      }
    });

    test('are two again once the file is back and the merge is reverted', async () => {
      const content = await mergeAndDelete();
      await release(content);
      cpSync(join(FIXTURE_DIR, 'venues'), join(content, 'venues'), { recursive: true });
      if (file === null) await revertOverride(inbox, duplicate);
      for (let times = 0; times < 2; times += 1) {
        const { dataset, owners } = await release(content);
        expect(owners).toEqual([duplicate, duplicate, duplicate]);
        expect(dataset.venues).toEqual(town.venues);
      }
    });

    test('answer 410 if the file of the survivor is deleted too', async () => {
      const content = await mergeAndDelete();
      await release(content);
      const path = (name: string) => join(content, `${name}.yml`);
      const venue_text = readFileSync(path('venues/malecon-inventado'), 'utf8');
      writeFileSync(path('venues/nuevo'), venue_text.replace('Malecón', 'Muelle'));
      rmSync(path('venues/malecon-inventado'));
      const events = ['obra-pospuesta', 'fiesta-de-viernes', 'feria-diaria', 'concierto-unico'];
      for (const name of ['town', ...events.map((event) => `events/${event}`)]) {
        const text = readFileSync(path(name), 'utf8');
        writeFileSync(path(name), text.replace('venue: malecon-inventado', 'venue: nuevo'));
      }
      const { dataset, owners } = await release(content);
      expect([owners, dataset.omitted]).toEqual([[undefined, undefined, undefined], []]);
      expect(dataset.withdrawn.map(({ slug }) => slug)).toContain(duplicate);
    });
  });
  test('cannot be merged in both directions', async () => {
    await merge();
    expect(await tryEdit(survivor, { same_as: duplicate })).toEqual(new Set(['same_as']));
    expect((await loadAppliedChanges(inbox, survivor)).edits).toEqual([]);
  });
  test.each([['ve_gone'], [duplicate]])(
    'stay two if the survivor does not exist: %s',
    async (to) => {
      await merge(to);
      const now = await readOn();
      expect(now.venues).toEqual(town.venues);
      expect(now.omitted).toEqual([`${duplicate} same_as: ${to} no longer exists`]);
    },
  );
});

test('an organizer that was merged still redirects after its file is deleted', async () => {
  const content = copyContent();
  const path = (name: string) => join(content, 'organizers', `${name}.yml`);
  const [survivor] = town.organizers;
  const readOn = async () => {
    const previous = await loadLedger(inbox);
    const dataset = await loadDatasetWithInbox(inbox, previous, FRIDAY_NOON_MS, content);
    await saveLedger(inbox, dataset.ledger, previous);
    return dataset.slugs.find(
      ({ kind, slug }) => kind === 'organizer' && slug === 'colectivo-doble',
    );
  };
  const text = readFileSync(path('colectivo-de-prueba'), 'utf8');
  writeFileSync(path('doble'), text.replace(/^name:.*$/m, 'name: Colectivo Doble'));
  const before = await readOn();
  expect(before?.id).not.toBe(survivor?.id);
  writeFileSync(
    path('doble'),
    `${text.replace(/^name:.*$/m, 'name: Colectivo Doble')}\nsame_as: ${survivor?.id}\n`,
  );
  expect((await readOn())?.id).toBe(survivor?.id);
  rmSync(path('doble'));
  expect((await readOn())?.id).toBe(survivor?.id);
});
