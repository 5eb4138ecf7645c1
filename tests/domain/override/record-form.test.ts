// Record form: records become control texts and the same records again.
import { expect, test } from 'vitest';
import {
  controlsToRecord,
  listFilledRows,
  recordToControls,
} from '../../../src/domain/override/record-form.ts';
import type { FormControl } from '../../../src/domain/submission/fields.ts';

const control = (
  name: string,
  kind: FormControl['kind'],
  parts: readonly FormControl[] = [],
): FormControl => ({ name, kind, parts });
const CONTROLS: readonly FormControl[] = [
  control('title.es', 'text'),
  control('capacity', 'number'),
  control('family', 'check'),
  control('languages', 'checks'),
  control('social', 'lines'),
  control('sources', 'rows', [control('url', 'text'), control('checked', 'date')]),
];
const RECORD = {
  title: { es: 'Feria' },
  capacity: 80,
  family: true,
  languages: ['es', 'yua'],
  social: ['https://a.example', 'https://b.example'],
  sources: [{ url: 'https://c.example' }, { checked: '2026-11-20' }],
};
const TEXTS = {
  'title.es': 'Feria',
  capacity: '80',
  family: '1',
  languages: 'es,yua',
  social: 'https://a.example\nhttps://b.example',
  'sources.0.url': 'https://c.example',
  'sources.1.checked': '2026-11-20',
};

test('a record becomes control texts and the same record again', () => {
  expect(recordToControls(CONTROLS, RECORD)).toEqual(TEXTS);
  expect(controlsToRecord(CONTROLS, TEXTS)).toEqual(RECORD);
});

test.each([
  ['capacity', '12,5', { capacity: 12.5 }],
  ['capacity', '-3', { capacity: -3 }],
  ['capacity', 'many', { capacity: 'many' }],
  ['capacity', '1 000', { capacity: '1 000' }],
  ['capacity', '  ', {}],
  ['social', 'a, b; c\r\n\r\nd', { social: ['a', 'b', 'c', 'd'] }],
  ['social', 'https://a.example/?q=1,2', { social: ['https://a.example/?q=1,2'] }],
  ['sources.4.url', 'https://c.example', { sources: [{ url: 'https://c.example' }] }],
  ['sources.0.url', ' ', {}],
])('the text of %s %j becomes %j', (name, text, record) => {
  expect(controlsToRecord(CONTROLS, { [name]: text })).toEqual(record);
});

test('lists the rows with text once, by number', () => {
  const texts = {
    'a.10.x': '1',
    'a.2.x': '1',
    'a.2.y': '1',
    'a.3.x': '',
    'a.b.x': '1',
    'ab.1.x': '1',
  };
  expect(listFilledRows(texts, 'a')).toEqual([2, 10]);
});
