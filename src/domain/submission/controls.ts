// The controls of the form on the web, from the table of fields: their names, sections and order; and further
// dates, a small table of days with hours of their own, kept as lines (`2026-12-20 18:00-20:00`).
import {
  type ControlForm,
  type FormSection,
  SECTION_NAMES,
  type Field,
  type FieldName,
  FIELDS,
  type Fields,
} from './fields.ts';

type OwnControl<N extends FieldName> = Fields[N] extends { readonly control: infer C }
  ? { readonly [K in N]: C }
  : Record<never, never>;
type OtherControls<N extends FieldName> = Fields[N] extends { readonly controls: infer C }
  ? C
  : Record<never, never>;
type HintedIn<C> = {
  [K in keyof C]: C[K] extends { readonly has_hint: true } ? K & string : never;
}[keyof C];

export type FormField = {
  [N in FieldName]: (keyof OwnControl<N> | keyof OtherControls<N>) & string;
}[FieldName];
/** The name of a control with a sentence of help. */
export type HintedField = {
  [N in FieldName]: HintedIn<OwnControl<N>> | HintedIn<OtherControls<N>>;
}[FieldName];

export interface Control extends ControlForm {
  readonly name: FormField;
}

function listControls(): readonly Control[];
function listControls(): readonly (ControlForm & { readonly name: string })[] {
  return Object.entries<Field>(FIELDS).flatMap(([field, { schema, control, controls }]) => {
    const max = typeof schema.maxLength === 'number' ? { max: schema.maxLength } : {};
    const all = Object.entries({ ...(control ? { [field]: control } : {}), ...controls });
    return all.map(([name, form]) => ({ ...max, ...form, name }));
  });
}
const CONTROLS = listControls();

/** The controls of a section, in the order of the page. */
export function listSection(section: FormSection): readonly Control[] {
  const here = CONTROLS.filter((control) => control.section === section);
  return [...here.filter(({ is_last }) => !is_last), ...here.filter(({ is_last }) => is_last)];
}

export const FORM_FIELDS: readonly FormField[] = SECTION_NAMES.flatMap((section) =>
  listSection(section).map(({ name }) => name),
);

/** Controls by name, in the order given. */
export const pickControls = (names: readonly FormField[]): readonly Control[] =>
  names.flatMap((name) => CONTROLS.find((control) => control.name === name) ?? []);

/** What stands in the controls; several ticked languages are joined with commas. */
export type FormValues = Readonly<Partial<Record<FormField, string>>>;

/** What an editor or a sender who ticks that it be left out does without. */
const DROPPED: ReadonlySet<FormField> = new Set(['picture_id', 'image_url']);

/** What of sent or stored fields belongs to controls, and is not empty. */
export function pickFormValues(fields: Readonly<Record<string, string>> | null): FormValues {
  if (fields === null) return {};
  const is_dropped = Boolean(fields.picture_drop);
  const sent: Readonly<Record<string, string>> = {
    ...fields,
    dates: readSentDates(fields),
    exceptions: splitDays([fields.exceptions, fields[EXCEPTION_ROW]].join(',')).join('\n'),
  };
  return Object.fromEntries(
    FORM_FIELDS.flatMap((name) =>
      sent[name] && !(is_dropped && DROPPED.has(name)) ? [[name, sent[name]]] : [],
    ),
  );
}

export const isHinted = (name: FormField): name is HintedField =>
  CONTROLS.some((control) => control.name === name && control.has_hint);

const SHOWN_BESIDE: Readonly<Record<string, FormField>> = {
  start: 'start_date',
  end: 'end_date',
  hour: 'hour_unknown',
  free: 'price_kind',
  repeats: 'repeat',
  hours: 'dates',
  venue: 'venue_name',
};

/** The control beside which an issue of a submission's field is shown. */
export function toFormField(field: string): FormField {
  return SHOWN_BESIDE[field] ?? FORM_FIELDS.find((name) => name === field) ?? 'title';
}

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
