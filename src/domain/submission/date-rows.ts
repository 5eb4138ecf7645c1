// Further dates as the form has them: a small table of days with hours of their own, and the same as
// lines of text (`2026-12-19`, `2026-12-20 18:00-20:00`), which is what is kept of it.

/** The controls of a row; each is there once a row, as its brackets say. */
export const DATE_ROW = {
  day: 'dates_day[]',
  from: 'dates_from[]',
  until: 'dates_until[]',
} as const;
/** The control of a day that a repetition leaves out, once a day. */
export const EXCEPTION_ROW = 'exceptions[]';
export type DateRow = Readonly<Record<keyof typeof DATE_ROW, string>>;

/** Rows of the table: of more dates the rest is text below it. */
const MOST_ROWS = 24;
/** Rows to be filled in, beside those that are. */
const EMPTY_ROWS = 3;
const HOURS = /^(\d{1,2}:\d{2})?(?:[-–](\d{1,2}:\d{2})?)?$/;

/** `24/12/2026` means the same day as `2026-12-24`. */
export const toIsoDay = (text: string): string =>
  text.replace(
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

/** The days of a list, between commas, semicolons or spaces. */
export const splitDays = (text: string): string[] =>
  text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(toIsoDay);

/** The rows of a text; what is no hour is a day, if a wrong one. */
export function readDateRows(text: string): readonly DateRow[] {
  const rows: DateRow[] = [];
  for (const part of splitDays(text.replace(/(:\d{2})\s*[-–]\s*(?=\d{1,2}:)/g, '$1-'))) {
    const [is_hours, from = '', until = ''] = HOURS.exec(part) ?? [];
    const before = is_hours === undefined ? undefined : rows.pop();
    rows.push(before ? { ...before, from, until } : { day: part, from: '', until: '' });
  }
  return rows;
}

/** Hours without a day are no row that could be read, and stay to be told. */
const toLine = ({ day, from, until }: DateRow): string =>
  from === '' && until === ''
    ? day
    : `${day === '' ? '?' : day} ${from}${until === '' ? '' : `-${until}`}`;

export const toDateLines = (rows: readonly DateRow[]): string =>
  rows
    .filter(({ day, from, until }) => day + from + until !== '')
    .map(toLine)
    .join('\n');

/** What was sent of the table, and below it, as text; the values of each of its columns stand in order, with commas. */
export function readSentDates(fields: Readonly<Record<string, string>>): string {
  const [days = [], from = [], until = []] = [DATE_ROW.day, DATE_ROW.from, DATE_ROW.until].map(
    (name) => (fields[name] ?? '').split(',').map((part) => part.trim()),
  );
  const rows = days.map((day, at) => ({ day, from: from[at] ?? '', until: until[at] ?? '' }));
  return [toDateLines(rows), fields.dates ?? ''].filter((text) => text !== '').join('\n');
}

/** The rows of the table that a text fills, with empty ones behind them, and the text that is too long for it. */
export function toDateTable(text: string): { readonly rows: readonly DateRow[]; rest: string } {
  const all = readDateRows(text);
  const empty = Array.from({ length: EMPTY_ROWS }, () => ({ day: '', from: '', until: '' }));
  return {
    rows: [...all.slice(0, MOST_ROWS), ...empty],
    rest: toDateLines(all.slice(MOST_ROWS)),
  };
}

/** The same for a list of days alone: a control for each, and some to fill in. */
export const toDayRows = (text: string): readonly string[] => [
  ...splitDays(text),
  ...Array.from({ length: EMPTY_ROWS }, () => ''),
];
