// The form of edits: every field of content in it, with words; what it says is what stood there; and
// what the desk says, written into YAML (contract 14.28, 14.31).
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { toFieldLabel } from '../../src/components/desk/field-words.ts';
import { listFields, readChanges, toSeen } from '../../src/desk/edit-form.ts';
import type { FieldShape } from '../../src/domain/edit/field-shape.ts';
import { readValue, toFields } from '../../src/domain/edit/form.ts';
import { HISTORY_KINDS } from '../../src/domain/history.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { isSameValue, type Patch } from '../../src/domain/patch.ts';
import { EDITABLE, checkRecord } from '../../src/sources/inbox/editable.ts';
import { exportPatches, writeField } from '../../src/sources/inbox/export-patches.ts';
import { FIXTURE_DIR, readFixture } from '../fixtures/fixture.ts';

const sources = readFixture().ledger.desk?.sources ?? [];
const get = (file: string) => {
  const found = sources.find((source) => source.file === file);
  if (found === undefined) throw new Error(`${file} is not there`);
  return found;
};

function* listPaths(shape: FieldShape, path: string): Generator<string> {
  if (shape.is === 'group')
    for (const [name, part] of shape.fields) yield* listPaths(part, `${path}.${name}`);
  else if (shape.is === 'rows') yield* listPaths(shape.row, path);
  else if (shape.is === 'word') yield* listPaths(shape.group, path);
  yield path;
}

describe('the form', () => {
  test('has every field of the schemas but what is decided elsewhere, each with words', () => {
    const known = Object.keys(EDITABLE.event.entries);
    const named = listFields('event').map(([name]) => name);
    expect(known.filter((name) => !named.includes(name)).sort()).toEqual([
      'changes',
      'id',
      'status',
      'status_note',
      'withdrawn',
    ]);
    for (const kind of HISTORY_KINDS)
      for (const [name, shape] of listFields(kind))
        for (const path of listPaths(shape, `${kind}.${name}`))
          for (const lang of LANGS)
            expect(toFieldLabel(path, lang), path).not.toBe(path.split('.').at(-1));
  });
  test('says of each thing what stood there, and reads the same again', () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const { kind, file, record } of sources) {
      const typed = listFields(kind).map(([name, shape]) => {
        const value = readValue(shape, toFields(shape, record[name], name), name);
        expect(toSeen(shape, value, name), `${file} ${name}`).toBe(
          toSeen(shape, record[name], name),
        );
        return [name, value] as const;
      });
      const { value, issues } = checkRecord(kind, { ...record, ...Object.fromEntries(typed) });
      expect(issues, file).toEqual([]);
      for (const [name] of typed)
        expect(isSameValue(value?.[name], record[name]), `${file} ${name}`).toBe(true);
    }
  });
  test('takes rows, checked days, a price of its own, and leaves out what is empty', () => {
    const { record } = get('venues/malecon-inventado.yml');
    const hours = readChanges('venue', record, {
      'hours.rules.1.days.fr': '',
      'hours.rules.2.days.mo': 'on',
      'hours.rules.2.open': '10:00',
    });
    expect(hours).toMatchObject({
      hours: { rules: [{}, { days: ['sa'] }, { days: ['mo'], open: '10:00' }] },
    });
    const fair = get('events/feria-diaria.yml').record;
    expect(readChanges('event', fair, { 'price.min': '12,50', tags: 'a, b' })).toEqual({
      price: { min: 12.5 },
      tags: ['a', 'b'],
    });
    expect(readChanges('event', fair, { price: 'free', organizer: '' })).toEqual({
      price: 'free',
      organizer: undefined,
    });
  });
});

describe('what is written into YAML', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-export-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true }));
  const by_id = new Map(sources.map((source) => [source.id, source]));
  const toPatch = (file: string, field: string, value: unknown): Patch => {
    const { id, kind, record } = get(file);
    return { kind, thing: id, field, value, source: record[field] };
  };
  test('is the field and nothing else, once and for all', () => {
    const file = 'events/feria-diaria.yml';
    const before = readFileSync(join(folder, file), 'utf8');
    const when = structuredClone(get(file).record.when);
    if (!Array.isArray(when)) throw new Error('no rules');
    when[1].start = '11:00';
    const patches = [
      toPatch(file, 'when', when),
      toPatch(file, 'tags', ['familia', 'puestos']),
      toPatch(file, 'organizer', undefined),
      toPatch(file, 'ticket_url', 'https://boletos.example/'),
      toPatch(file, 'venue', get('venues/foro-sin-punto.yml').id),
    ];
    const outcomes = exportPatches(folder, patches, by_id).map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['written']));
    const after = readFileSync(join(folder, file), 'utf8');
    expect(after).toContain('# On Mondays too, though the place is closed then');
    expect(after).toMatch(/BYDAY=MO, since: 2026-11-23, start: "11:00"/);
    expect(after).toContain('venue: foro-sin-punto\n');
    expect(after).not.toContain('organizer:');
    expect(after.endsWith('ticket_url: https://boletos.example/\n')).toBe(true);
    const untouched = before
      .split('\n')
      .filter((line) => /^(title|summary|changes|sources|price| {2}- \{ date:)/.test(line));
    for (const line of untouched) expect(after).toContain(`${line}\n`);
    exportPatches(folder, patches, by_id);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(after);
  });
  test('leaves alone what has changed, what has no file and what is gone', () => {
    const conflict = { ...toPatch('events/concierto-unico.yml', 'tags', ['x']), source: ['y'] };
    const gone = { ...conflict, thing: 'ev_gone' };
    const inbox = { ...get('events/concierto-unico.yml'), id: 'ev_in', file: 'inbox/HC-1' };
    const all = new Map([...by_id, [inbox.id, inbox]]);
    expect(
      exportPatches(folder, [conflict, gone, { ...conflict, thing: 'ev_in' }], all).map(
        ({ outcome }) => outcome,
      ),
    ).toEqual(['conflict', 'gone', 'not_in_content']);
  });
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
