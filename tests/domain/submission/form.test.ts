// The form's controls to a submission and back: hours, further days, prices and links as people
// write them.
import { describe, expect, test } from 'vitest';
import { readDateRows, toDateLines } from '../../../src/domain/submission/when.ts';
import {
  type FormValues,
  listChangedFields,
  pickFormValues,
  toFormField,
  toFormValues,
  toSubmissionInput,
} from '../../../src/domain/submission/form.ts';
import { readSubmission } from '../../../src/domain/submission/read-submission.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';
import { FRIDAY_NOON_MS, readFixture } from '../../fixtures/fixture.ts';

const TOWN = {
  taxonomy: readFixture().taxonomy,
  findVenue: () => null,
  findVenueByName: () => null,
};
const PLACE = { venue_name: 'Patio', price_kind: 'unknown' } as const;
const toInput = (values: FormValues) => toSubmissionInput({ ...PLACE, ...values });
const listIssues = (values: FormValues) =>
  toInput(values).issues.map(({ field, rule }) => `${field} ${rule}`);

describe('when', () => {
  test.each<[FormValues, string, string | undefined]>([
    [{ start_date: '2026-12-05', start_time: '20:00' }, '2026-12-05T20:00', undefined],
    [
      { start_date: '2026-12-05', start_time: '20:00', end_time: '23:00' },
      '2026-12-05T20:00',
      '2026-12-05T23:00',
    ],
    // Past midnight, without saying the day.
    [
      { start_date: '2026-12-31', start_time: '22:00', end_time: '03:00' },
      '2026-12-31T22:00',
      '2027-01-01T03:00',
    ],
    [
      { start_date: '2026-12-05', start_time: '20:00', end_date: '2026-12-07', end_time: '10:00' },
      '2026-12-05T20:00',
      '2026-12-07T10:00',
    ],
    [{ start_date: '5/12/2026', start_time: '20:00' }, '2026-12-05T20:00', undefined],
    [
      { start_date: '2026-12-05', all_day: '1', end_date: '2026-12-06' },
      '2026-12-05',
      '2026-12-06',
    ],
    [
      { start_date: '2026-12-05', hour_unknown: '1', end_date: '2026-12-06' },
      '2026-12-05',
      '2026-12-06',
    ],
  ])('%j', (values, start, end) => {
    const { input, issues } = toInput(values);
    expect([input.start, input.end, issues]).toEqual([start, end, []]);
  });
  test('an hour is asked for unless it lasts all day or nobody knows it yet', () => {
    expect(listIssues({ start_date: '2026-12-05' })).toEqual(['start_time no_hour']);
    expect(
      listIssues({ start_date: '2026-12-05', start_time: '20:00', end_date: '2026-12-06' }),
    ).toEqual(['end_time no_hour']);
    expect(listIssues({ start_date: '2026-12-05', all_day: '1' })).toEqual([]);
    expect(listIssues({ start_date: '2026-12-05', hour_unknown: '1' })).toEqual([]);
  });
  test.each<[FormValues, string]>([
    [{ start_time: '20:00' }, 'hour hour_and_time'],
    [{ end_time: '23:00' }, 'hour hour_and_time'],
    [{ start_time: '20:00', end_date: '2026-12-06' }, 'hour hour_and_time'],
    [{ all_day: '1' }, 'hour hour_and_all_day'],
    [{ all_day: '1', start_time: '20:00' }, 'hour hour_and_all_day'],
  ])('an hour that is not known beside %j is refused, once', (values, issue) => {
    const { input, issues } = toInput({
      ...toFormValues(SUBMISSION),
      start_date: '2026-12-05',
      ...{ start_time: '', end_date: '', end_time: '' },
      hour_unknown: '1',
      ...values,
    });
    expect([
      issues,
      readSubmission(input, TOWN, FRIDAY_NOON_MS).issues.map(
        ({ field, rule }) => `${field} ${rule}`,
      ),
    ]).toEqual([[], [issue]]);
  });
});

describe('further days', () => {
  const from = { start_date: '2026-12-05', start_time: '20:00' };
  // Of a first day at 20:00: how often, until when, on which weekdays. The 1st of December is a Tuesday.
  test.each([
    ['2026-12-05 weekly 2026-12-19', '2026-12-12,2026-12-19'],
    ['2026-12-05 biweekly 2027-01-01', '2026-12-19'],
    ['2026-12-05 daily 2026-12-07', '2026-12-06,2026-12-07'],
    ['2026-12-05 monthly 2027-03-04', '2027-01-05,2027-02-05'],
    ['2026-12-31 monthly 2027-05-30', '2027-01-31,2027-03-31'],
    ['2026-12-01 weekly 2026-12-10 tu,th', '2026-12-03,2026-12-08,2026-12-10'],
    ['2026-12-01 weekly 2026-12-09 th,tu', '2026-12-03,2026-12-08'],
    ['2026-12-06 weekly 2026-12-14 mo,su', '2026-12-07,2026-12-13,2026-12-14'],
    ['2026-12-03 biweekly 2026-12-31 tu,th', '2026-12-15,2026-12-17,2026-12-29,2026-12-31'],
    ['2026-12-04 monthly_weekday 2027-03-05', '2027-01-01,2027-02-05,2027-03-05'],
    ['2026-12-04 monthly_weekday 2027-03-04', '2027-01-01,2027-02-05'],
    // The fourth Friday, and the last.
    ['2026-12-25 monthly_weekday 2027-02-28', '2027-01-22,2027-02-26'],
    ['2026-12-25 monthly_last 2027-02-28', '2027-01-29,2027-02-26'],
    ['9999-12-30 daily 9999-12-31', '9999-12-31'],
  ])('%s', (said, dates) => {
    const [start_date = '', repeat = '', repeat_until = '', weekdays = ''] = said.split(' ');
    const values = { ...from, start_date, repeat, repeat_until, weekdays };
    expect(toInput(values).input.dates).toBe(dates);
  });
  test.each<[FormValues, string]>([
    [{ dates: '19/12/2026\n2026-12-26, 2027-01-02' }, '2026-12-19,2026-12-26,2027-01-02'],
    [
      { dates: '2026-12-24', repeat: 'weekly', repeat_until: '2026-12-12' },
      '2026-12-24,2026-12-12',
    ],
  ])('%j', (values, dates) => expect(toInput({ ...from, ...values }).input.dates).toBe(dates));
  test.each<[FormValues, string | undefined, readonly string[]]>([
    [{ exceptions: '12/12/2026' }, '2026-12-19', []],
    [{ exceptions: '2026-12-12\n2026-12-19' }, undefined, []],
    [{ exceptions: '2026-12-24' }, '2026-12-12,2026-12-19', []],
    [{ exceptions: 'Navidad' }, '2026-12-12,2026-12-19', ['exceptions not_dates']],
    [{ exceptions: '2026-12-05' }, '2026-12-12,2026-12-19', ['exceptions first_left_out']],
    [{ exceptions: '2026-12-12', repeat: '', repeat_until: '' }, undefined, ['repeat missing']],
    [{ exceptions: '2026-12-12', dates: '2026-12-12' }, '2026-12-19', []],
  ])('of a repetition, without those that it leaves out: %j', (values, dates, issues) => {
    const all = { ...from, repeat: 'weekly', repeat_until: '2026-12-19', ...values };
    expect([toInput(all).input.dates, listIssues(all)]).toEqual([dates, issues]);
  });
  test.each<[FormValues, readonly string[]]>([
    [{ weekdays: 'tu' }, ['weekdays first_left_out']],
    [{ weekdays: 'tu,sa' }, []],
    [{ weekdays: 'sábado' }, ['weekdays not_weekdays']],
    [{ weekdays: 'sa', repeat: 'biweekly' }, []],
    [{ weekdays: 'sa', repeat: 'daily' }, ['weekdays not_weekly']],
    [{ weekdays: 'sa', repeat: '', repeat_until: '' }, ['weekdays not_weekly']],
    [{ repeat: 'monthly_weekday', start_date: '2027-01-28' }, []],
    [{ repeat: 'monthly_weekday', start_date: '2027-01-29' }, ['repeat fifth_weekday']],
    [{ repeat: 'monthly_last', start_date: '2027-01-29' }, []],
    [{ repeat: 'monthly_last', start_date: '2026-12-25' }, []],
    [{ repeat: 'monthly_last', start_date: '2026-12-24' }, ['repeat first_left_out']],
  ])('whose rule must fall on the first day: %j', (values, issues) => {
    const all = { ...from, repeat: 'weekly', repeat_until: '2026-12-19', ...values };
    expect(listIssues(all)).toEqual(issues);
  });
  describe('without a known end', () => {
    test.each([
      ['weekly', 12, '2027-02-27'],
      ['monthly', 2, '2027-02-05'],
      ['daily', 60, '2027-02-03'],
    ])('%s, are taken for twelve weeks, and at most sixty', (repeat, count, last) => {
      const { input, issues } = toInput({ ...from, repeat, open_end: '1' });
      const days = input.dates?.split(',') ?? [];
      expect([days.length, days.at(-1), input.open_end, issues]).toEqual([count, last, '1', []]);
    });
    test.each<[FormValues, readonly string[]]>([
      [{ repeat: 'weekly', repeat_until: '2026-12-19' }, ['open_end until_and_open']],
      [{}, ['repeat missing']],
      [{ dates: '2026-12-12' }, []],
    ])('%j', (values, issues) =>
      expect(listIssues({ ...from, ...values, open_end: '1' })).toEqual(issues),
    );
  });
  test.each<[FormValues, readonly string[]]>([
    [{ repeat: 'daily', repeat_until: '2027-02-03' }, []],
    [{ repeat: 'daily', repeat_until: '2027-02-04' }, ['repeat_until too_many']],
    [{ repeat: 'daily', repeat_until: '2027-02-04', exceptions: '2026-12-24' }, []],
    [{ repeat: 'weekly' }, ['repeat_until missing']],
    [{ repeat_until: '2026-12-19' }, ['repeat missing']],
  ])('are sixty and no more, and a rule says when it ends: %j', (values, issues) => {
    expect(listIssues({ ...from, ...values })).toEqual(issues);
  });
});

describe('further days with hours of their own', () => {
  const listAll = (sent: Readonly<Record<string, string>>) => {
    const { input, issues } = toInput({
      ...toFormValues(SUBMISSION),
      ...pickFormValues({ start_date: '2026-12-05', start_time: '19:00', ...sent }),
    });
    const all = [...issues, ...readSubmission(input, TOWN, FRIDAY_NOON_MS).issues];
    return { input, issues: all.map(({ field, rule }) => `${field} ${rule}`) };
  };
  test('come from a small table', () => {
    const table = {
      'dates_day[]': '2026-12-06,2026-12-12,,2026-12-05',
      'dates_from[]': ',18:00,,12:00',
      'dates_until[]': ',20:00,,',
    };
    const lines = '2026-12-06\n2026-12-12 18:00-20:00\n2026-12-05 12:00';
    expect(pickFormValues(table).dates).toBe(lines);
    expect(listAll(table)).toMatchObject({
      issues: [],
      input: {
        dates: '2026-12-06,2026-12-12,2026-12-05',
        hours: '2026-12-12T18:00/20:00,2026-12-05T12:00',
      },
    });
  });
  test('stand in the form again as they were sent', () => {
    const hours = [{ date: '2026-12-13', start: '18:00', end: null }];
    const dates = ['2026-12-12', '2026-12-13'];
    expect(toFormValues({ ...SUBMISSION, dates, hours, family: true })).toMatchObject({
      dates: '2026-12-12\n2026-12-13 18:00',
      family: '1',
    });
  });
  test.each([
    ['2026-12-06', '', '20:00', 'dates no_hour'],
    ['', '18:00', '', 'dates not_dates'],
    ['2026-12-06', '25:00', '', 'hours not_dates'],
  ])('of %j from %j until %j are told: %s', (day, start, end, issue) => {
    const sent = { 'dates_day[]': day, 'dates_from[]': start, 'dates_until[]': end };
    expect(listAll(sent).issues).toContain(issue);
  });
  test('are read from lines in any of their forms', () => {
    const text = '19/12/2026; 2026-12-20 18:00 - 20:00\n2026-12-21 9:00, ,';
    expect(toDateLines(readDateRows(text))).toBe(
      '2026-12-19\n2026-12-20 18:00-20:00\n2026-12-21 9:00',
    );
  });
});

describe('the price', () => {
  test.each<[FormValues, Readonly<Record<string, string>>]>([
    [{ price_kind: 'free', price_min: '100' }, { free: '1' }],
    [{ price_kind: 'unknown', price_min: '100' }, {}],
    [
      { price_kind: 'fixed', price_min: '$1,500', price_max: '2500.50 MXN' },
      { price_min: '1500', price_max: '2500.50' },
    ],
  ])('%j', (values, price) => {
    const { input, issues } = toInput(values);
    const said = Object.entries(input).filter(([name]) => /^(free|price)/.test(name));
    expect([Object.fromEntries(said), issues]).toEqual([price, []]);
  });
  test.each([
    ['150', '150', '150'],
    ['desde 150', '150', undefined],
    ['From $1,500', '1500', undefined],
    ['80-250', '80', '250'],
    ['$80 a $1,250 MXN', '80', '1250'],
    ['1,500', '1500', '1500'],
  ])('of %s needs no other tick', (price_min, min, max) => {
    const { input, issues } = toSubmissionInput({ venue_name: 'x', price_min });
    expect([input.price_min, input.price_max, issues]).toEqual([min, max, []]);
  });
  test('is chosen, and has a number where it is fixed', () => {
    const { issues } = toSubmissionInput({ venue_name: 'x' });
    expect(issues.map(({ field }) => field)).toEqual(['price_kind']);
    expect(listIssues({ price_kind: 'fixed' })).toEqual(['price_min missing']);
  });
});

test('a link without https:// gets it, and what is no link stays to be refused', () => {
  expect(
    toInput({
      ticket_url: 'boletos.example/a?b=1',
      organizer_url: 'no es un enlace',
      source_url: 'javascript:alert(1)',
    }).input,
  ).toMatchObject({
    ticket_url: 'https://boletos.example/a?b=1',
    organizer_url: 'no es un enlace',
    source_url: 'javascript:alert(1)',
  });
});

test('a place of the list wins, and one of both is needed', () => {
  expect(
    toSubmissionInput({ venue: 've_1', venue_name: 'Otro', price_kind: 'free' }).input,
  ).toEqual({ venue: 've_1', free: '1' });
  expect(
    toSubmissionInput({ price_kind: 'free' }).issues.map(({ field, rule }) => `${field} ${rule}`),
  ).toEqual(['venue no_place']);
});

test('a submission comes back from its own form as it was', () => {
  const all_day = {
    ...SUBMISSION,
    all_day: true,
    start: '2026-12-05',
    end: '2026-12-06',
    price: { is_free: true, min: null, max: null, note: 'Trae víveres' },
  };
  const unknown = {
    ...SUBMISSION,
    hour: 'unknown',
    start: '2026-12-05',
    end: '2026-12-06',
  } as const;
  const open = { ...SUBMISSION, open_end: true } as const;
  for (const submission of [SUBMISSION, all_day, unknown, open]) {
    const { input, issues } = toSubmissionInput(toFormValues(submission));
    const again = readSubmission(input, TOWN, FRIDAY_NOON_MS).submission;
    // What was sent before is known by the digest of its text: no key more.
    expect([again, issues]).toStrictEqual([submission, []]);
  }
});

test('every fault of a submission has a control beside which it stands', () => {
  const fields = ['start', 'end', 'hour', 'free', 'repeats', 'title', 'unheard_of'];
  expect(fields.map(toFormField)).toEqual([
    'start_date',
    'end_date',
    'hour_unknown',
    'price_kind',
    'repeat',
    'title',
    'title',
  ]);
});

test('what was taken in before may have begun', () => {
  const { input } = toSubmissionInput(
    toFormValues({ ...SUBMISSION, start: '2026-11-19T20:00', end: null, dates: [] }),
  );
  expect(readSubmission(input, TOWN, FRIDAY_NOON_MS).issues.map(({ rule }) => rule)).toEqual([
    'past',
  ]);
  expect(readSubmission(input, TOWN, FRIDAY_NOON_MS, true).issues).toEqual([]);
});

test('what differs between two texts is named in the order of the page', () => {
  expect(listChangedFields(toFormValues(SUBMISSION), toFormValues(SUBMISSION))).toEqual([]);
  const after = {
    ...SUBMISSION,
    title: 'Otra noche',
    end: '2026-12-06T02:00',
    price: { ...SUBMISSION.price, min: 200 },
  };
  expect(listChangedFields(toFormValues(SUBMISSION), toFormValues(after))).toEqual([
    'title',
    'price_min',
    'end_time',
  ]);
  const unknown = { ...SUBMISSION, hour: 'unknown', start: '2026-12-05', end: null } as const;
  expect(listChangedFields(toFormValues(SUBMISSION), toFormValues(unknown))).toEqual([
    'start_time',
    'hour_unknown',
    'end_time',
    'end_date',
  ]);
});
