// A repetition as controls and back: what the controls cannot say stays as it is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  FREQUENCIES,
  MONTHS,
  POSITIONS,
  readRule,
  toRuleFields,
  WEEKDAYS,
} from '../../../src/domain/edit/form.ts';
import { isRule } from '../../../src/domain/event/occurrences.ts';

const NAME = 'when.0.rrule';
const readAgain = (rule: string) => readRule(toRuleFields(rule, NAME), NAME);

test.each([
  ['FREQ=DAILY', { freq: 'daily' }],
  ['FREQ=WEEKLY;BYDAY=TU,TH', { freq: 'weekly', 'weekdays.tu': 'on', 'weekdays.th': 'on' }],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', { freq: 'weekly', interval: '2', 'weekdays.sa': 'on' }],
  ['FREQ=MONTHLY;BYDAY=1FR', { freq: 'monthly', position: '1', 'weekdays.fr': 'on' }],
  ['FREQ=MONTHLY;BYDAY=-1SU', { freq: 'monthly', position: '-1', 'weekdays.su': 'on' }],
  [
    'FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=1,2',
    { freq: 'yearly', monthdays: '1, 2', 'months.11': 'on' },
  ],
])('%s', (rule, said) => {
  const fields = toRuleFields(rule, NAME);
  for (const [part, value] of Object.entries(said)) expect(fields[`${NAME}.${part}`]).toBe(value);
  expect(readAgain(rule)).toBe(rule);
});

test.each(['FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1', 'FREQ=DAILY;COUNT=3', 'FREQ=WEEKLY;BYDAY=SU,MO'])(
  'stays as it is: %s',
  (rule) => {
    expect(toRuleFields(rule, NAME)).toEqual({ [`${NAME}.freq`]: 'other', [NAME]: rule });
    expect(readAgain(rule)).toBe(rule);
  },
);

test('whatever is chosen is a rule, and is shown again as it was chosen', () => {
  fc.assert(
    fc.property(
      fc.record({
        freq: fc.constantFrom(...FREQUENCIES),
        interval: fc.constantFrom('', '1', '2', '3'),
        position: fc.constantFrom('', ...POSITIONS),
        weekdays: fc.subarray([...WEEKDAYS]),
        months: fc.subarray([...MONTHS]),
      }),
      ({ weekdays, months, ...texts }) => {
        const ticked = [
          ...weekdays.map((day) => `weekdays.${day}`),
          ...months.map((month) => `months.${month}`),
        ];
        const fields = Object.fromEntries([
          ...Object.entries(texts).map(([part, text]) => [`${NAME}.${part}`, text] as const),
          ...ticked.map((part) => [`${NAME}.${part}`, 'on'] as const),
        ]);
        const rule = readRule(fields, NAME) ?? '';
        expect(isRule(rule), rule).toBe(true);
        expect(readAgain(rule)).toBe(rule);
        const shown = toRuleFields(rule, NAME);
        for (const part of ticked) expect(shown[`${NAME}.${part}`]).toBe('on');
      },
    ),
  );
});
