// What the desk says over content, written into its YAML: the files alone then say what desk and files
// said together (contract 14.31).
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editThing } from '../../src/desk/edit-thing.ts';
import { mergeInto } from '../../src/desk/merge-things.ts';
import { changeDay, changeStatus, withdrawEvent } from '../../src/desk/override.ts';
import { toCancunDay } from '../../src/domain/cancun-time.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { toHorizon } from '../../src/domain/event/occurrences.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import type { Patch } from '../../src/domain/patch.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { listOverrides } from '../../src/inbox/overrides.ts';
import { listMerges, listPatches, putPatch } from '../../src/inbox/patches.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';
import { toId } from '../../src/sources/identity.ts';
import { exportDesk } from '../../src/sources/inbox/export-desk.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import { writeField } from '../../src/sources/inbox/write-field.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { publish, readDatasetWith } from '../fixtures/approved.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';

const ACTOR = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
const HORIZON = toHorizon(toCancunDay(FRIDAY_NOON_MS));

let folder: string;
let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-export-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  writeFileSync(
    join(folder, 'organizers/colectivo-doble.yml'),
    `name: Colectivo Doble
type: colectivo
sources: [{ name: Inventado para las pruebas, checked: 2026-11-20 }]
confidence: high
`,
  );
  const obra = join(folder, 'events/obra-pospuesta.yml');
  writeFileSync(
    obra,
    `${read('events/obra-pospuesta.yml').trimEnd()}\norganizer: colectivo-doble\n`,
  );
  opened = openFixtureInbox();
});
afterEach(() => {
  opened.close();
  rmSync(folder, { recursive: true });
});

const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const runExport = () => exportDesk(folder, readInboxRecords(opened.inbox), HORIZON);
const withDesk = (ledger: Ledger): Dataset =>
  readDatasetWith(opened.inbox, ledger, FRIDAY_NOON_MS, folder);
const alone = (ledger: Ledger): Dataset => readDataset(folder, ledger, FRIDAY_NOON_MS);
/** The facts of a dataset, without what is only the desk's. */
const toFacts = ({ ledger: _, ...facts }: Dataset) => facts;
/** As a release leaves the inbox. */
const release = (): Dataset => {
  const town = withDesk(readLedger(opened.inbox));
  writeLedger(opened.inbox, town.ledger);
  return town;
};

const KINDS = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  notices: 'notice',
} as const;
/** The id of a file of content. */
function idOf(file: string): string {
  const [folder, name = ''] = file.split('/');
  const kind = Object.entries(KINDS).find(([one]) => one === folder)?.[1] ?? 'event';
  return toId(kind, name.replace('.yml', ''));
}

/** All that an editor can say over content, said by the desk's own functions. */
function decideAll(town: Dataset): void {
  const { inbox } = opened;
  const { snapshot, close } = openFixture(town);
  const fair = getEvent(snapshot, idOf('events/feria-diaria.yml'), FRIDAY_NOON_MS);
  if (fair === null || fair === 'gone') throw new Error('no fair');
  const edit = (file: string, changed: Readonly<Record<string, unknown>>): void =>
    expect(
      editThing(inbox, ACTOR, idOf(file), changed, 'Lo vimos', {
        snapshot,
        now_ms: FRIDAY_NOON_MS,
      }),
    ).toEqual([]);
  edit('events/feria-diaria.yml', { tags: ['familia', 'puestos'], price: { min: 20 } });
  edit('venues/malecon-inventado.yml', { capacity: 40, phone: '998 000 0000' });
  edit('notices/oleaje.yml', { title: { es: 'Mar de fondo', en: 'Swell' } });
  const note = { es: 'Se cayó el escenario', en: 'The stage fell' };
  changeStatus(inbox, ACTOR, idOf('events/fiesta-de-viernes.yml'), 'cancel', 'Llamaron', note);
  changeStatus(inbox, ACTOR, idOf('events/obra-pospuesta.yml'), 'restore', '');
  changeDay(inbox, ACTOR, fair, { action: 'cancel', date: '2026-11-24', note }, 'Llamaron');
  changeDay(inbox, ACTOR, fair, { action: 'restore', date: '2026-11-21', note: {} }, '');
  withdrawEvent(inbox, ACTOR, idOf('events/concierto-unico.yml'), 'Por orden judicial');
  for (const [kind, old, kept] of [
    ['venue', 'venues/foro-sin-punto.yml', 'venues/malecon-inventado.yml'],
    ['organizer', 'organizers/colectivo-doble.yml', 'organizers/colectivo-de-prueba.yml'],
  ] as const)
    mergeInto(inbox, ACTOR, { kind, old: idOf(old), kept: idOf(kept) }, 'Son lo mismo');
  close();
}

test('the files alone say the same afterwards, in an old town and in a new one', () => {
  const before = release();
  const [venue, people] = [
    idOf('venues/foro-sin-punto.yml'),
    idOf('organizers/colectivo-doble.yml'),
  ];
  decideAll(before);
  const ledger = readLedger(opened.inbox);
  const said = withDesk(ledger);
  expect(said.organizers, 'two are one').toHaveLength(1);
  expect(
    new Set(said.events.map(({ organizer }) => organizer)),
    'and have the events of both',
  ).toEqual(new Set([idOf('organizers/colectivo-de-prueba.yml'), null]));
  expect(said.ledger.desk?.left_out).toEqual([]);
  const lines = runExport();
  expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(['written', 'deleted']));
  expect(toFacts(alone(ledger))).toEqual(toFacts(said));
  const fresh = alone(EMPTY_LEDGER);
  expect(toFacts(fresh).events.map(({ id, venue: at }) => [id, at])).toEqual(
    said.events.map(({ id, venue: at }) => [id, at]),
  );
  const leads = new Map(fresh.slugs.map(({ slug, id }) => [slug, id]));
  for (const name of ['foro-sin-punto', venue])
    expect(leads.get(name), name).toBe(idOf('venues/malecon-inventado.yml'));
  for (const name of ['colectivo-doble', people])
    expect(leads.get(name), name).toBe(idOf('organizers/colectivo-de-prueba.yml'));

  const fair = read('events/feria-diaria.yml');
  expect(fair).toContain('# On Mondays too, though the place is closed then');
  expect(read('events/obra-pospuesta.yml')).not.toMatch(/^status:/m);
  expect(runExport(), 'twice is once').toEqual([]);
  expect(read('events/feria-diaria.yml')).toBe(fair);
});

test('what the files say now has ended at the desk with the next release, but for decisions on events', () => {
  decideAll(release());
  const said = withDesk(readLedger(opened.inbox));
  runExport();
  const overrides = listOverrides(opened.inbox);
  const after = release();
  expect([listPatches(opened.inbox), listMerges(opened.inbox)]).toEqual([[], []]);
  expect(listOverrides(opened.inbox)).toEqual(overrides);
  expect([toFacts(after), toFacts(release())]).toEqual([toFacts(said), toFacts(said)]);
});

test('is the field and nothing else', () => {
  const file = 'events/feria-diaria.yml';
  const before = read(file);
  const record = alone(EMPTY_LEDGER).ledger.desk?.sources.find((one) => one.file === file)?.record;
  const when = structuredClone(record?.when);
  if (!Array.isArray(when)) throw new Error('no rules');
  when[1].start = '11:00';
  const changed = {
    when,
    organizer: undefined,
    ticket_url: 'https://boletos.example/',
    venue: idOf('venues/foro-sin-punto.yml'),
  };
  for (const [field, value] of Object.entries(changed))
    putPatch(opened.inbox, {
      ...{ kind: 'event', thing: idOf(file), field, value },
      source: record?.[field],
    });
  runExport();
  const after = read(file);
  expect(after).toContain('# On Mondays too, though the place is closed then');
  expect(after).toMatch(/BYDAY=MO, since: 2026-11-23, start: "11:00"/);
  expect(after).toContain('venue: foro-sin-punto\n');
  expect(after).not.toContain('organizer:');
  expect(after.endsWith('ticket_url: https://boletos.example/\n')).toBe(true);
  const untouched = before
    .split('\n')
    .filter((line) => /^(title|summary|changes|sources|price| {2}- \{ date:)/.test(line));
  for (const line of untouched) expect(after).toContain(`${line}\n`);
});

test('leaves alone, and names, what has changed, what has no file, what is gone and what does not pass', () => {
  publish(opened.inbox, { venue_name: 'Patio Inventado' });
  const town = release();
  const sent = town.events.find(({ title }) => title.en === 'Test night');
  const one = { kind: 'event', field: 'tags', value: ['x'] } as const;
  const patches: readonly Patch[] = [
    { ...one, thing: idOf('events/concierto-unico.yml'), source: ['y'] },
    { ...one, thing: 'ev_gone', source: [] },
    { ...one, thing: sent?.id ?? '', source: [] },
    { ...one, thing: idOf('events/feria-diaria.yml'), value: ['No Pasa'], source: ['familia'] },
  ];
  for (const patch of patches) putPatch(opened.inbox, patch);
  putPatch(opened.inbox, {
    ...{ kind: 'event', thing: idOf('events/fiesta-de-viernes.yml'), field: 'image' },
    value: { url: `upload:${'x'.repeat(32)}`, alt: { es: 'Un escenario', en: 'A stage' } },
    source: undefined,
  });
  const [kept, old] = [sent?.venue ?? '', idOf('venues/foro-sin-punto.yml')];
  mergeInto(opened.inbox, ACTOR, { kind: 'venue', old, kept }, 'Es el mismo');
  const before = read('events/feria-diaria.yml');
  const lines = runExport().map(({ file, outcome }) => `${file} ${outcome}`);
  expect(lines.sort()).toEqual([
    'ev_gone gone',
    'events/concierto-unico.yml conflict',
    'events/feria-diaria.yml faulty',
    'events/fiesta-de-viernes.yml uploaded',
    expect.stringMatching(/^inbox\/HC-\w+ not_in_content$/),
    'venues/foro-sin-punto.yml not_in_content',
  ]);
  expect(read('events/feria-diaria.yml')).toBe(before);
});

describe('a field', () => {
  test.each([
    ['a: 1 # one\nb: 2\n', 'a', 3, 'a: 3 # one\nb: 2\n'],
    [
      'a:\n  es: x # c\n  en: y\n# rest\nb: 2\n',
      'a',
      { es: 'z', en: 'y' },
      'a:\n  es: z # c\n  en: y\n# rest\nb: 2\n',
    ],
    ['a: >-\n  long\n  text\nb: 2', 'b', undefined, 'a: >-\n  long\n  text\n'],
    ['a: 1', 'h', '09:00', 'a: 1\nh: "09:00"\n'],
  ])('keeps what stands around: %j', (text, field, value, expected) => {
    expect(writeField(text, field, value)).toBe(expected);
  });
});
