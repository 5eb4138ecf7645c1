// Form values: converts the form's controls to a submission and back, with hours, further days, prices and links as
// visitors type them.
import { describe, expect, test } from 'vitest';
import {
  type FormValues,
  listChangedControls,
  selectFormValues,
  submissionToForm,
  formToSubmissionInput,
} from '../../../src/domain/submission/form-values.ts';
import { parseSubmission } from '../../../src/domain/submission/parse-submission.ts';
import type { SubmissionIssue } from '../../../src/domain/submission/field-rules.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';
import { FRIDAY_NOON_MS, createVenuelessData } from '../../fixtures/fixture.ts';

const TOWN = createVenuelessData();
const listIssues = (issues: readonly SubmissionIssue[]): readonly string[] =>
  issues.map(({ field, rule }) => `${field} ${rule}`);
function convert(values: FormValues) {
  const place = { venue_name: 'Patio', price_kind: 'unknown' };
  const { input, issues } = formToSubmissionInput({ ...place, ...values });
  return { input, issues: listIssues(issues) };
}
function parseForm(values: FormValues, filled = submissionToForm(SUBMISSION)) {
  const { input, issues } = formToSubmissionInput({ ...filled, ...values });
  const result = parseSubmission(input, TOWN, FRIDAY_NOON_MS);
  return {
    input,
    submission: result.submission,
    issues: listIssues([...issues, ...result.issues]),
  };
}

describe('start and end', () => {
  const day = { start_date: '2026-12-05' };
  const at = { ...day, start_time: '20:00' };
  const eve = { ...at, start_date: '31/12/2026' };
  test.each<[FormValues, string, string | undefined, string?]>([
    [at, '2026-12-05T20:00', undefined],
    // An end past midnight without a day.
    [{ ...eve, end_time: '03:00' }, '2026-12-31T20:00', '2027-01-01T03:00'],
    [{ ...at, end_date: '2026-12-07', end_time: '10:00' }, '2026-12-05T20:00', '2026-12-07T10:00'],
    [{ ...day, all_day: '1', end_date: '2026-12-06' }, '2026-12-05', '2026-12-06'],
    [{ ...day, hour_unknown: '1', end_date: '2026-12-06' }, '2026-12-05', '2026-12-06'],
    // An hour is required unless the event lasts all day or its hour is unknown.
    [day, '2026-12-05', undefined, 'start_time no_hour'],
    [{ ...at, end_date: '2026-12-06' }, '2026-12-05T20:00', undefined, 'end_time no_hour'],
  ])('%j', (values, start, end, issue) => {
    const { input, issues } = convert(values);
    expect([issues.join(), input.start, input.end]).toEqual([issue ?? '', start, end]);
  });
  test.each<[FormValues, string]>([
    [{ start_time: '20:00' }, 'hour hour_and_time'],
    [{ start_time: '20:00', end_date: '2026-12-06' }, 'hour hour_and_time'],
    [{ all_day: '1' }, 'hour hour_and_all_day'],
  ])('an unknown hour together with %j is rejected once', (values, issue) => {
    const empty = { start_time: '', end_date: '', end_time: '', hour_unknown: '1' };
    expect(parseForm({ ...empty, ...values }).issues).toEqual([issue]);
  });
});

describe('further days', () => {
  const from = { start_date: '2026-12-05', start_time: '20:00' };
  // First day, repetition, last day and weekdays. December 1 is a Tuesday.
  test.each([
    ['2026-12-05 weekly 2026-12-19', '2026-12-12,2026-12-19'],
    ['2026-12-05 biweekly 2027-01-01', '2026-12-19'],
    ['2026-12-31 monthly 2027-05-30', '2027-01-31,2027-03-31'],
    ['2026-12-06 weekly 2026-12-14 mo,su', '2026-12-07,2026-12-13,2026-12-14'],
    ['2026-12-03 biweekly 2026-12-31 tu,th', '2026-12-15,2026-12-17,2026-12-29'],
    // The fourth Friday, and the last.
    ['2026-12-25 monthly_weekday 2027-02-28', '2027-01-22,2027-02-26'],
    ['2026-12-25 monthly_last 2027-02-28', '2027-01-29,2027-02-26'],
    // The last day is a rest day.
    ['9999-12-29 daily 9999-12-31', '9999-12-30'],
  ])('%s', (controls, dates) => {
    const [start_date = '', repeat = '', repeat_until = '', weekdays = ''] = controls.split(' ');
    expect(convert({ ...from, start_date, repeat, repeat_until, weekdays }).input.dates).toBe(
      dates,
    );
  });
  const weekly = { ...from, repeat: 'weekly', repeat_until: '2026-12-19' };
  const fourth = { ...weekly, repeat: 'monthly_weekday' };
  const open = { ...from, open_end: '1' };
  const all = '2026-12-12,2026-12-19';
  test.each<[FormValues, string | undefined, string?]>([
    [{ ...from, dates: '19/12/2026\n2026-12-26, 2027-01-02' }, '2026-12-19,2026-12-26,2027-01-02'],
    [{ ...weekly, dates: '2026-12-24' }, `2026-12-24,${all}`],
    // Exceptions.
    [{ ...weekly, exceptions: '12/12/2026' }, '2026-12-19'],
    [{ ...weekly, exceptions: '2026-12-12', dates: '2026-12-12' }, '2026-12-19'],
    [{ ...weekly, exceptions: 'Navidad' }, all, 'exceptions not_dates'],
    [{ ...weekly, exceptions: '2026-12-05' }, all, 'exceptions first_left_out'],
    [{ ...from, exceptions: '2026-12-12' }, undefined, 'repeat missing'],
    // The rule must include the first day.
    [{ ...weekly, weekdays: 'tu' }, '2026-12-08,2026-12-15', 'weekdays first_left_out'],
    [{ ...weekly, weekdays: 'sábado' }, all, 'weekdays not_weekdays'],
    [{ ...from, weekdays: 'sa' }, undefined, 'weekdays not_weekly'],
    [{ ...fourth, start_date: '2027-01-28' }, undefined],
    [{ ...fourth, start_date: '2027-01-29' }, undefined, 'repeat fifth_weekday'],
    [{ ...fourth, repeat: 'monthly_last' }, undefined, 'repeat first_left_out'],
    // A repetition needs an end, or an unknown end.
    [{ ...from, repeat: 'weekly' }, undefined, 'repeat_until missing'],
    [{ ...from, repeat_until: '2026-12-19' }, undefined, 'repeat missing'],
    [{ ...weekly, open_end: '1' }, '2026-12-12,2026-12-19,2026-12-26', 'open_end until_and_open'],
    [open, undefined, 'repeat missing'],
    [{ ...open, dates: '2026-12-12' }, '2026-12-12'],
  ])('%j', (values, dates, issue) => {
    const { input, issues } = convert(values);
    expect(issues.join()).toBe(issue ?? '');
    // The next test counts the days without an end.
    expect(values.open_end ? input.dates?.slice(0, dates?.length) : input.dates).toBe(dates);
  });
  test.each<[FormValues, number, string?]>([
    [{ repeat: 'daily', repeat_until: '2027-02-03' }, 56],
    [{ repeat: 'daily', repeat_until: '2027-02-04' }, 0, 'repeat_until too_many'],
    [{ repeat: 'daily', repeat_until: '2027-02-04', exceptions: '2026-12-24' }, 57],
    // Twelve weeks if the end is unknown.
    [{ repeat: 'weekly', open_end: '1' }, 12],
    [{ repeat: 'daily', open_end: '1' }, 56],
  ])('are at most sixty: %j', (values, count, issue) => {
    const { input, issues } = convert({ ...from, ...values });
    expect([input.dates?.split(',').length ?? 0, issues.join()]).toEqual([count, issue ?? '']);
  });
});

describe('further days with hours of their own', () => {
  const fillTable = (day: string, start: string, end: string) =>
    selectFormValues({ 'dates_day[]': day, 'dates_from[]': start, 'dates_until[]': end });
  test('are entered in a table', () => {
    const table = fillTable('2026-12-06,2026-12-12,,2026-12-05', ',18:00,,12:00', ',20:00,,');
    expect(table.dates).toBe('2026-12-06\n2026-12-12 18:00-20:00\n2026-12-05 12:00');
    const { input, issues } = parseForm({ start_time: '19:00', ...table });
    expect([input.dates, issues]).toEqual(['2026-12-06,2026-12-12,2026-12-05', []]);
    expect(input.hours).toBe('2026-12-12T18:00/20:00,2026-12-05T12:00');
  });
  test.each([
    ['2026-12-06', '', '20:00', 'dates no_hour'],
    ['2026-12-06', '25:00', '', 'hours not_dates'],
  ])('%j from %j until %j is rejected with %s', (day, start, end, issue) => {
    expect(parseForm(fillTable(day, start, end)).issues).toContain(issue);
  });
});

test.each<[FormValues, object, string?]>([
  [{ price_kind: 'free', price_min: '100' }, { free: '1' }],
  [{ price_kind: 'unknown', price_min: '100' }, {}],
  [{ price_kind: 'fixed' }, {}, 'price_min missing'],
  [{}, {}, 'price_kind missing'],
  // An amount alone implies a fixed price.
  [{ price_min: '150' }, { price_min: '150', price_max: '150' }],
  [{ price_min: 'desde 150' }, { price_min: '150' }],
  [{ price_min: '$80 a $1,250 MXN' }, { price_min: '80', price_max: '1250' }],
])('the price of %j', (values, price, issue) => {
  const { input, issues } = formToSubmissionInput({ venue_name: 'x', ...values });
  expect([input, listIssues(issues).join()]).toEqual([{ venue_name: 'x', ...price }, issue ?? '']);
});

test('a selected venue takes precedence over a typed one, and either is required', () => {
  const free = { price_kind: 'free' };
  const { input } = formToSubmissionInput({ ...free, venue: 've_1', venue_name: 'Otro' });
  expect(input).toEqual({ venue: 've_1', free: '1' });
  expect(listIssues(formToSubmissionInput(free).issues)).toEqual(['venue no_place']);
});

const FREE = { is_free: true, min: null, max: null };
const HOUR = { start: '18:00', end: null };
test.each([
  {},
  { all_day: true, start: '2026-12-05', end: '2026-12-06', price: { ...FREE, note: 'Trae té' } },
  { hour: 'unknown', start: '2026-12-05', end: '2026-12-06' } as const,
  { open_end: true, family: true } as const,
  { dates: ['2026-12-12', '2026-12-13'], hours: [{ ...HOUR, date: '2026-12-13' }] },
])(
  'a submission survives the conversion to its form and back, without further keys: %j',
  (more) => {
    const original = { ...SUBMISSION, ...more };
    const { submission, issues } = parseForm({}, submissionToForm(original));
    expect([submission, issues]).toStrictEqual([original, []]);
  },
);

test('a submission received earlier may have a past start', () => {
  const begun = { ...SUBMISSION, start: '2026-11-19T20:00', end: null, dates: [] };
  const { input } = formToSubmissionInput(submissionToForm(begun));
  expect(listIssues(parseSubmission(input, TOWN, FRIDAY_NOON_MS).issues)).toEqual(['start past']);
  expect(parseSubmission(input, TOWN, FRIDAY_NOON_MS, true).issues).toEqual([]);
});

const UNKNOWN = { hour: 'unknown', start: '2026-12-05', end: null } as const;
test.each([
  [{}, ''],
  [{ title: 'Otra noche', end: '2026-12-06T02:00' }, 'title,end_time'],
  [UNKNOWN, 'start_time,hour_unknown,end_time,end_date'],
])('the controls changed by %j are listed in the order of the page', (more, fields) => {
  const after = submissionToForm({ ...SUBMISSION, ...more });
  expect(listChangedControls(submissionToForm(SUBMISSION), after).join()).toBe(fields);
});
