// Record form: fills and parses the controls of every record kind (contract 14.28).
import { describe, expect, test } from 'vitest';
import { createReferenceData } from '../../src/desk/reference-data.ts';
import {
  keepsExistingSchedule,
  parseChangedFields,
  recordToFormValues,
} from '../../src/desk/record-form.ts';
import type { RecordFields } from '../../src/domain/override/record-override.ts';
import type { ControlTexts } from '../../src/domain/submission/field-rules.ts';
import { RECORD_KINDS, type RecordKind } from '../../src/domain/record-history.ts';
import { LANGS } from '../../src/domain/lang.ts';
import type { FormControl } from '../../src/domain/submission/fields.ts';
import { fieldPathLabels } from '../../src/i18n/format-forms.ts';
import {
  validateRecord,
  EDITABLE_SCHEMAS,
  listControls,
} from '../../src/sources/inbox/editable-fields.ts';
import {
  listEditableRecords,
  contentFromFiles,
} from '../../src/sources/inbox/apply-desk-changes.ts';
import { NO_INBOX_RECORDS } from '../../src/sources/inbox/load-inbox.ts';
import { FRIDAY_NOON_MS, useFixture, loadFixtureFiles } from '../fixtures/fixture.ts';

const town = useFixture();
const known = createReferenceData(town.snapshot);
const sources = listEditableRecords(contentFromFiles(loadFixtureFiles()), NO_INBOX_RECORDS, []);
const get = (file: string): RecordFields =>
  sources.find((source) => source.file === file)?.record ?? expect.unreachable(file);
const FAIR = get('events/feria-diaria.yml');

const toTexts = (kind: RecordKind, record: RecordFields): ControlTexts =>
  recordToFormValues(kind, record, known);
/** Returns the changed fields and issues after typing these values over the filled form. */
const type = (kind: RecordKind, record: RecordFields, typed: ControlTexts) => {
  const texts = { ...toTexts(kind, record), ...typed };
  return parseChangedFields(kind, record, texts, known, FRIDAY_NOON_MS);
};

const listPaths = ({ name, parts = [] }: FormControl): readonly string[] => [
  name,
  ...parts.flatMap(listPaths).map((path) => `${name}.0.${path}`),
];

test('every field has a labeled control, except fields decided elsewhere', () => {
  const named = new Set(listControls('event').map(({ name }) => name.split('.')[0]));
  const unnamed = Object.keys(EDITABLE_SCHEMAS.event.entries).filter((name) => !named.has(name));
  expect(unnamed.sort()).toEqual(['changes', 'id', 'status', 'status_note', 'withdrawn']);
  for (const kind of RECORD_KINDS)
    for (const path of listControls(kind).flatMap(listPaths))
      for (const lang of LANGS)
        for (const label of fieldPathLabels(`${kind}.${path}`, lang))
          expect(label, path).not.toMatch(/^[a-z_]+( 1)?$/);
});

test('an untouched form changes nothing and has no issues', () => {
  expect(sources.length).toBeGreaterThan(10);
  for (const { kind, file, record } of sources) {
    const { changed, issues } = type(kind, record, {});
    expect([changed, issues], file).toEqual([{}, []]);
    expect(validateRecord(kind, record).issues, file).toEqual([]);
  }
});

test('an event with texts in one language shows and keeps its other title', () => {
  const record = {
    ...FAIR,
    written_in: 'es',
    title: { es: 'Feria', en: 'Fair' },
    summary: { es: 'Diaria.', en: 'Diaria.' },
    description: undefined,
  };
  expect(toTexts('event', record)).toMatchObject({ other_title: 'Fair', other_summary: '' });
  const { changed } = type('event', record, { title: 'Gran feria' });
  expect(changed.title).toEqual({ es: 'Gran feria', en: 'Fair' });
  // An equal title is a copy of the original, and follows it.
  const copied = { ...record, title: { es: 'Feria', en: 'Feria' } };
  expect(toTexts('event', copied).other_title).toBe('');
  expect(type('event', copied, { title: 'Gran feria' }).changed.title).toEqual({
    es: 'Gran feria',
    en: 'Gran feria',
  });
});

const DAY = '2026-12-05';
const SATURDAY = '2026-12-12';
const HOURS = { start: '10:00', end: '14:00' } as const;
const TIMES = { start_time: '10:00', end_time: '14:00' };
const NIGHT = { start_time: '22:00', end_date: '2026-12-06', end_time: '03:00' };
const rule = (more: object) => ({ days: 1, except: [], ...more });
describe('schedules', () => {
  test.each<[string, readonly object[], ControlTexts]>([
    [
      'days with the same hours',
      [{ dates: [DAY, SATURDAY], ...HOURS }],
      { ...TIMES, dates: SATURDAY },
    ],
    [
      'days with hours of their own',
      [
        { dates: [DAY], start: '20:00' },
        { dates: ['2026-12-06'], ...HOURS },
      ],
      { start_time: '20:00', dates: '2026-12-06 10:00-14:00' },
    ],
    ['a night', [{ dates: [DAY], start: '22:00', end: '03:00' }], NIGHT],
    ['several whole days', [{ dates: [DAY], days: 3 }], { all_day: '1', end_date: '2026-12-07' }],
    ['a day with an unknown time', [{ dates: [DAY], hour: 'unknown' }], { hour_unknown: '1' }],
    [
      'a rule without an end, less a day',
      [{ rrule: 'FREQ=WEEKLY;BYDAY=SA', since: '2026-12-01', except: [SATURDAY], ...HOURS }],
      { repeat: 'weekly', weekdays: 'sa', exceptions: SATURDAY },
    ],
    [
      'a rule until a day, that never rests',
      [{ rrule: 'FREQ=DAILY', since: DAY, until: '2027-12-05', quiet_days: 'open' }],
      { repeat: 'daily', repeat_until: '2027-12-05' },
    ],
    [
      'the last Saturday',
      [{ rrule: 'FREQ=MONTHLY;BYDAY=-1SA', since: DAY, ...HOURS }],
      { start_date: '2026-12-26', repeat: 'monthly_last' },
    ],
  ])('%s', (_, rules, more) => {
    const [when, said] = [rules.map(rule), { start_date: DAY, ...more }];
    const record = { ...FAIR, when };
    expect(toTexts('event', record)).toMatchObject(said);
    const hours = { start_time: '09:00', end_time: '11:00' };
    const typed = { ...hours, all_day: '', hour_unknown: '', end_date: '' };
    const { changed, issues } = type('event', record, typed);
    // The same schedule at another time.
    const [first = {}, ...others] = when;
    const { hour: _hour, days: _days, ...kept } = { hour: null, days: 1, ...first };
    const since = 'since' in first ? { since: said.start_date ?? first.since } : {};
    const changed_to = { ...kept, ...since, start: '09:00', end: '11:00' };
    expect([issues, changed]).toMatchObject([[], { when: [changed_to, ...others] }]);
  });
  test.each<[string, readonly object[]]>([
    ['Easter', [rule({ easter: -2, since: '2026-01-01' })]],
    ['some months', [rule({ rrule: 'FREQ=MONTHLY;BYDAY=-1SA;BYMONTH=1,2', since: DAY })]],
    ['two rules', [1, 2].map(() => rule({ rrule: 'FREQ=DAILY', since: DAY, ...HOURS }))],
    ['whole days and hours', [rule({ dates: [DAY], ...HOURS }), rule({ dates: ['2026-12-06'] })]],
  ])('%s cannot be shown in the form and is preserved until days are entered', (_, when) => {
    const record = { ...FAIR, when };
    expect(keepsExistingSchedule('event', toTexts('event', record))).toBe(true);
    expect(type('event', record, { other_title: 'Fair' }).changed.when).toBeUndefined();
    const missing = { field: 'start', rule: 'missing' };
    expect(type('event', record, { start_time: '10:00' }).issues).toMatchObject([missing]);
    const days = { start_date: DAY, start_time: '10:00', dates: '2026-12-06' };
    const changed = { when: [{ dates: [DAY, '2026-12-06'], start: '10:00' }] };
    expect(type('event', record, days)).toMatchObject({ changed, issues: [] });
  });
  test('of a notice use the same controls', () => {
    const typed = { start_date: DAY, start_time: '06:00', end_date: '', end_time: '' };
    const { changed } = type('notice', get('notices/obra-vial.yml'), typed);
    expect(changed).toMatchObject({ when: [{ start: '06:00' }] });
  });
});

const FAIR_FILE = 'events/feria-diaria.yml';
const PIER = 'venues/malecon-inventado.yml';
test.each<[RecordKind, string, ControlTexts, RecordFields]>([
  ['event', FAIR_FILE, { tags: 'a, b' }, { tags: ['a', 'b'] }],
  [
    'event',
    FAIR_FILE,
    { 'price.visitors.0.visitor': 'adult', 'price.visitors.0.amount': '50' },
    { price: { visitors: [{ visitor: 'adult', amount: 50 }] } },
  ],
  ['event', FAIR_FILE, { tags: '', venue: '' }, { tags: undefined, venue: undefined }],
  [
    'venue',
    PIER,
    { 'hours.rules.9.days': 'mo,tu', 'hours.rules.9.open': '10:00' },
    { hours: { rules: expect.arrayContaining([{ days: ['mo', 'tu'], open: '10:00' }]) } },
  ],
])('for a %s, %s: %j', (kind, file, typed, changed) => {
  expect(type(kind, get(file), typed)).toMatchObject({ changed, issues: [] });
});

test('issues of the stored record do not prevent other changes', () => {
  const short = { ...FAIR, description: { es: 'Corta', en: 'Short' } };
  for (const typed of [{ tags: 'a' }, { description: 'Otra' }])
    expect(type('event', short, typed).issues).toEqual([]);
  const { issues } = type('event', FAIR, { title: 'x' });
  expect(issues).toMatchObject([{ field: 'title', rule: 'too_short' }]);
});
