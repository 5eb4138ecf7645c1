// A rule of repetition (RFC 5545, 3.3.10) as the controls of a form, and back: nobody has to read or write one.
import type { Fields } from './field-shape.ts';

export const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
/** Which of a month's weekdays; `-1` is the last. */
export const POSITIONS = ['1', '2', '3', '4', '5', '-1'] as const;
export const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
/** The frequency of a rule that the controls cannot say: it stays as it is, in a hidden one. */
export const OTHER = 'other';

export function toRuleFields(rrule: string, name: string): Fields {
  const parts = new Map(
    rrule.split(';').map((part) => {
      const [key = '', value = ''] = part.split('=');
      return [key, value] as const;
    }),
  );
  const list = (key: string): readonly string[] =>
    (parts.get(key) ?? '').split(',').filter((part) => part !== '');
  const fields = {
    [`${name}.freq`]: (parts.get('FREQ') ?? '').toLowerCase(),
    [`${name}.interval`]: parts.get('INTERVAL') ?? '',
    [`${name}.position`]: /^-?\d+/.exec(list('BYDAY')[0] ?? '')?.[0] ?? '',
    [`${name}.monthdays`]: list('BYMONTHDAY').join(', '),
    ...Object.fromEntries(
      list('BYDAY').map((day) => [`${name}.weekdays.${day.slice(-2).toLowerCase()}`, 'on']),
    ),
    ...Object.fromEntries(list('BYMONTH').map((month) => [`${name}.months.${month}`, 'on'])),
  };
  return readRule(fields, name) === rrule ? fields : { [`${name}.freq`]: OTHER, [name]: rrule };
}

/** Undefined where nothing repeats. */
export function readRule(fields: Fields, name: string): string | undefined {
  const read = (part: string): string => (fields[`${name}.${part}`] ?? '').trim();
  const freq = read('freq');
  if (freq === OTHER) return fields[name];
  if (freq === '') return undefined;
  const interval = read('interval');
  const position = freq === 'monthly' || freq === 'yearly' ? read('position') : '';
  const by = {
    INTERVAL: interval === '1' ? '' : interval,
    BYMONTH: MONTHS.filter((month) => read(`months.${month}`) !== '').join(','),
    BYMONTHDAY: read('monthdays')
      .split(/[\s,;]+/)
      .join(','),
    BYDAY: WEEKDAYS.filter((day) => read(`weekdays.${day}`) !== '')
      .map((day) => `${position}${day.toUpperCase()}`)
      .join(','),
  };
  const said = Object.entries(by).filter(([, value]) => value !== '');
  return [['FREQ', freq.toUpperCase()], ...said].map((part) => part.join('=')).join(';');
}
