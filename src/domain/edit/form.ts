// The form of any thing: what its fields say as the texts of controls, and back (contract 14.28). A
// control is named by the path of its field: `when.0.start`.
import { readUploadLink, toUploadLink } from '../submission/picture.ts';

/** How a text is typed: on a line, in a box, as a day, an hour, a name without spaces, or a picture's link. */
export const TEXT_CONTROLS = ['line', 'area', 'date', 'time', 'word', 'picture'] as const;
type TextControl = (typeof TEXT_CONTROLS)[number];
export const PLACE_CONTROLS = ['venue', 'organizer'] as const;

export type FieldShape =
  | { readonly is: 'text'; readonly control: TextControl }
  | { readonly is: 'number' }
  | { readonly is: 'flag' }
  | { readonly is: 'rule' }
  | { readonly is: 'choice'; readonly options: readonly string[] }
  | { readonly is: 'place'; readonly of: (typeof PLACE_CONTROLS)[number] }
  | { readonly is: 'texts'; readonly control: TextControl }
  | { readonly is: 'choices'; readonly options: readonly string[] }
  | GroupShape
  | { readonly is: 'rows'; readonly row: FieldShape }
  /** One of a few words, or else a group. */
  | { readonly is: 'word'; readonly words: readonly string[]; readonly group: FieldShape };

export type Fields = Readonly<Record<string, string>>;

export interface GroupShape {
  readonly is: 'group';
  readonly fields: readonly (readonly [name: string, shape: FieldShape])[];
}

interface Option {
  readonly value: string;
  readonly label: string;
}
/** What a control needs to know of the agenda: places and taxa with their names. */
export interface FieldChoices {
  readonly venue: readonly Option[];
  readonly organizer: readonly Option[];
  readonly category: readonly Option[];
  readonly zone: readonly Option[];
}

/** What stands in the select of a word where the group beside it says more. */
export const NO_WORD = 'other';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || value === true ? String(value) : '';
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function toFields(shape: FieldShape, value: unknown, name: string): Fields {
  switch (shape.is) {
    case 'texts':
      return { [name]: toList(value).map(toText).join('\n') };
    case 'choices':
      return Object.fromEntries(toList(value).map((one) => [`${name}.${toText(one)}`, 'on']));
    case 'flag':
      return value === true ? { [name]: 'on' } : {};
    case 'rule':
      return typeof value === 'string' ? toRuleFields(value, name) : {};
    case 'group':
      return toGroupFields(shape, isRecord(value) ? value : {}, name);
    case 'rows':
      return Object.assign(
        {},
        ...toList(value).map((row, at) => toFields(shape.row, row, `${name}.${at}`)),
      );
    case 'word':
      return typeof value === 'string'
        ? { [name]: value }
        : { ...toFields(shape.group, value, name), [name]: NO_WORD };
    default:
      return { [name]: toText(value) };
  }
}

const toGroupFields = (
  { fields }: GroupShape,
  value: Readonly<Record<string, unknown>>,
  name: string,
): Fields =>
  Object.assign(
    {},
    ...fields.map(([field, shape]) => toFields(shape, value[field], join(name, field))),
  );

export const join = (name: string, field: string): string =>
  name === '' ? field : `${name}.${field}`;

/** What the controls say; undefined where all of them are empty. */
export function readValue(shape: FieldShape, fields: Fields, name: string): unknown {
  const text = (fields[name] ?? '').trim();
  switch (shape.is) {
    case 'number':
      return readNumber(text);
    case 'flag':
      return text === '' ? undefined : true;
    case 'rule':
      return readRule(fields, name);
    case 'texts':
      return toFilled(
        text
          .split(shape.control === 'line' || shape.control === 'area' ? /[\r\n]+/ : /[\s,;]+/)
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      );
    case 'choices':
      return toFilled(shape.options.filter((option) => fields[`${name}.${option}`]));
    case 'group':
      return readGroup(shape, fields, name);
    case 'rows':
      return toFilled(
        listRows(fields, name)
          .map((at) => readValue(shape.row, fields, `${name}.${at}`))
          .filter((row) => row !== undefined),
      );
    case 'word':
      return text === NO_WORD ? (readValue(shape.group, fields, name) ?? {}) : text || undefined;
    default:
      return text === '' ? undefined : text;
  }
}

const toFilled = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;

/** What is no number stays as it was typed, for the schema to refuse. */
function readNumber(text: string): unknown {
  if (text === '') return undefined;
  return /^-?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : text;
}

function readGroup({ fields: parts }: GroupShape, fields: Fields, name: string): unknown {
  const filled = parts.flatMap(([field, shape]) => {
    const value = readValue(shape, fields, join(name, field));
    return value === undefined ? [] : [[field, value] as const];
  });
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

export function listRows(fields: Fields, name: string): readonly number[] {
  const start = `${name}.`;
  const found = Object.keys(fields)
    .filter((key) => key.startsWith(start))
    .map((key) => Number(key.slice(start.length).split('.')[0]))
    .filter((at) => Number.isInteger(at));
  return [...new Set(found)].sort((a, b) => a - b);
}

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

/** The field of a thing that is its picture. */
export const PICTURE_FIELD = 'image';
/** Its controls beside those of its parts. */
export const PICTURE_CONTROLS = {
  /** The id of what was uploaded with this very form. */
  chosen: 'picture_id',
  /** The id of what was uploaded before. */
  held: 'picture_held',
  drop: 'picture_drop',
} as const;

const URL_CONTROL = `${PICTURE_FIELD}.url`;

/** The fields of a form with those of the picture as its parts have them. */
export function readPictureFields(fields: Fields): Fields {
  const { chosen, held, drop } = PICTURE_CONTROLS;
  if (fields[drop])
    return Object.fromEntries(
      Object.entries(fields).filter(([name]) => !name.startsWith(`${PICTURE_FIELD}.`)),
    );
  const id = fields[chosen] || (fields[URL_CONTROL]?.trim() ? '' : fields[held]);
  return id ? { ...fields, [URL_CONTROL]: toUploadLink(id) } : fields;
}

/** A picture's link for its control: none of one that was uploaded, whose id is given instead. */
export function toPictureControls(link: string): {
  readonly link: string;
  readonly held: string | null;
} {
  const held = readUploadLink(link);
  return { link: held === null ? link : '', held };
}
