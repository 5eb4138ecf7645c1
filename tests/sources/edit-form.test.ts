// The form of edits: every field of content in it, with words; what it says is what stood there
// (contract 14.28).
import { describe, expect, test } from 'vitest';
import { toFieldLabel } from '../../src/i18n/edit-words.ts';
import { listFields, toSeen } from '../../src/desk/things.ts';
import {
  type Fields,
  type FieldShape,
  NO_WORD,
  readValue,
  toFields,
} from '../../src/domain/edit/form.ts';
import { HISTORY_KINDS, type HistoryKind } from '../../src/domain/history.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { isSameValue } from '../../src/domain/edit/edit.ts';
import { EDITABLE, checkRecord } from '../../src/sources/inbox/editable.ts';
import { listSources, toContent } from '../../src/sources/inbox/desk-content.ts';
import { NO_INBOX_RECORDS } from '../../src/sources/inbox/read-inbox.ts';
import { readFixtureFiles } from '../fixtures/fixture.ts';

const sources = listSources(toContent(readFixtureFiles()), NO_INBOX_RECORDS, []);
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
    const read = (kind: HistoryKind, file: string, name: string, given: Fields): unknown => {
      const shape = new Map(listFields(kind)).get(name);
      if (shape === undefined) throw new Error(`${name} is no field`);
      return readValue(shape, { ...toFields(shape, get(file).record[name], name), ...given }, name);
    };
    const hours = read('venue', 'venues/malecon-inventado.yml', 'hours', {
      'hours.rules.1.days.fr': '',
      'hours.rules.2.days.mo': 'on',
      'hours.rules.2.open': '10:00',
    });
    expect(hours).toMatchObject({
      rules: [{}, { days: ['sa'] }, { days: ['mo'], open: '10:00' }],
    });
    const fair = 'events/feria-diaria.yml';
    const price = { price: NO_WORD, 'price.min': '12,50' };
    expect(read('event', fair, 'price', price)).toEqual({ min: 12.5 });
    expect(read('event', fair, 'price', { price: 'free' })).toBe('free');
    expect(read('event', fair, 'tags', { tags: 'a, b' })).toEqual(['a', 'b']);
    expect(read('event', fair, 'organizer', { organizer: '' })).toBeUndefined();
  });
});
