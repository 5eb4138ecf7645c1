// The form's controls to a submission and back: hours, further days, prices and links as people
// write them.
import { describe, expect, test } from 'vitest';
import { type FormValues, toFormField } from '../../../src/domain/submission/controls.ts';
import {
  listChangedFields,
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
  test.each<[FormValues, string]>([
    [{ repeat: 'weekly', repeat_until: '2026-12-19' }, '2026-12-12,2026-12-19'],
    [{ repeat: 'biweekly', repeat_until: '2027-01-01' }, '2026-12-19'],
    [{ repeat: 'daily', repeat_until: '2026-12-07' }, '2026-12-06,2026-12-07'],
    [{ repeat: 'monthly', repeat_until: '2027-03-04' }, '2027-01-05,2027-02-05'],
    [
      { start_date: '2026-12-31', repeat: 'monthly', repeat_until: '2027-05-30' },
      '2027-01-31,2027-03-31',
    ],
    [{ dates: '19/12/2026\n2026-12-26, 2027-01-02' }, '2026-12-19,2026-12-26,2027-01-02'],
    [
      { dates: '2026-12-24', repeat: 'weekly', repeat_until: '2026-12-12' },
      '2026-12-24,2026-12-12',
    ],
    // The 1st of December is a Tuesday.
    [
      {
        start_date: '2026-12-01',
        repeat: 'weekly',
        weekdays: 'tu,th',
        repeat_until: '2026-12-10',
      },
      '2026-12-03,2026-12-08,2026-12-10',
    ],
    [
      {
        start_date: '2026-12-01',
        repeat: 'weekly',
        weekdays: 'th,tu',
        repeat_until: '2026-12-09',
      },
      '2026-12-03,2026-12-08',
    ],
    [
      {
        start_date: '2026-12-06',
        repeat: 'weekly',
        weekdays: 'mo,su',
        repeat_until: '2026-12-14',
      },
      '2026-12-07,2026-12-13,2026-12-14',
    ],
    [
      {
        start_date: '2026-12-03',
        repeat: 'biweekly',
        weekdays: 'tu,th',
        repeat_until: '2026-12-31',
      },
      '2026-12-15,2026-12-17,2026-12-29,2026-12-31',
    ],
    [
      { start_date: '2026-12-04', repeat: 'monthly_weekday', repeat_until: '2027-03-05' },
      '2027-01-01,2027-02-05,2027-03-05',
    ],
    [
      { start_date: '2026-12-04', repeat: 'monthly_weekday', repeat_until: '2027-03-04' },
      '2027-01-01,2027-02-05',
    ],
    // The fourth Friday, and the last.
    [
      { start_date: '2026-12-25', repeat: 'monthly_weekday', repeat_until: '2027-02-28' },
      '2027-01-22,2027-02-26',
    ],
    [
      { start_date: '2026-12-25', repeat: 'monthly_last', repeat_until: '2027-02-28' },
      '2027-01-29,2027-02-26',
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
  test('what is left out does not count', () => {
    const many = { ...from, repeat: 'daily', repeat_until: '2027-02-04' };
    expect(listIssues({ ...many, exceptions: '2026-12-24' })).toEqual([]);
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
  test('end with the calendar', () => {
    const last = { start_date: '9999-12-30', repeat: 'daily', repeat_until: '9999-12-31' };
    expect(toInput({ ...from, ...last }).input.dates).toBe('9999-12-31');
  });
  test('sixty of them and no more', () => {
    expect(
      toInput({ ...from, repeat: 'daily', repeat_until: '2027-02-03' }).input.dates?.split(','),
    ).toHaveLength(60);
    expect(listIssues({ ...from, repeat: 'daily', repeat_until: '2027-02-04' })).toEqual([
      'repeat_until too_many',
    ]);
    expect(listIssues({ ...from, repeat: 'weekly' })).toEqual(['repeat_until missing']);
    expect(listIssues({ ...from, repeat_until: '2026-12-19' })).toEqual(['repeat missing']);
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
    expect([
      Object.fromEntries(Object.entries(input).filter(([name]) => /^(free|price)/.test(name))),
      issues,
    ]).toEqual([price, []]);
  });
  test('is chosen, and has a number where it is fixed', () => {
    expect(toSubmissionInput({ venue_name: 'x' }).issues.map(({ field }) => field)).toEqual([
      'price_kind',
    ]);
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
