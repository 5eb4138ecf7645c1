// A calendar that somebody brings in: what was read of it while they choose, and what is asked, once for all of it,
// for each of its places, and of the events that differ (contract 14.34, 14.35).
import * as v from 'valibot';
import { parseDay, toLocalDay } from './local-time.ts';
import { isSubmittedAsOnline } from './event/event.ts';
import { type ImportedEvent, ImportedEventSchema, ImportFailureSchema } from './imported-events.ts';
import { foldText } from './text-folding.ts';
import { type Lang, LANGS } from './lang.ts';
import type { FormField } from './submission/fields.ts';
import {
  type FormValues,
  controlOfField,
  formToSubmissionInput,
} from './submission/form-values.ts';
import { type VenueLookups, parseSubmission } from './submission/parse-submission.ts';
import { createIssue } from './submission/field-rules.ts';
import { getLastDay, datesToControls } from './submission/form-dates.ts';
import { findTaxon } from './taxon.ts';

/** Calendars that somebody still chooses from: of one address, of all, how long. Places that are asked for. */
export const IMPORT_DRAFT_LIMITS = {
  drafts_of_sender: 5,
  drafts: 200,
  draft_ms: 24 * 3_600_000,
  places: 60,
} as const;

/**
 * What an event of a calendar is to us: new; like one that is in the agenda or waits; sent with this very
 * calendar before, the same or changed; called off in its calendar, or not in it any more.
 */
export const IMPORT_ROW_STATUSES = [
  'new',
  'known',
  'same',
  'changed',
  'cancelled',
  'gone',
] as const;

const RowSchema = v.object({
  event: ImportedEventSchema,
  standing: v.picklist(IMPORT_ROW_STATUSES),
  /** The event of the agenda that it is like; null where it only waits, or is new. */
  like: v.nullable(v.object({ id: v.string(), title: v.string() })),
  /** What was sent of it with this calendar before. */
  reference: v.nullable(v.string()),
  /** Which of the places. */
  place: v.number(),
});
export type ImportRow = Readonly<v.InferOutput<typeof RowSchema>>;

export const ImportDraftSchema = v.object({
  rows: v.array(RowSchema),
  failures: v.array(ImportFailureSchema),
  over: v.number(),
  /** As the calendar says them, each once; empty for none. */
  places: v.array(v.string()),
});
export type ImportDraft = Readonly<v.InferOutput<typeof ImportDraftSchema>>;

/** What stands in controls, by name. */
export type ImportAnswers = Readonly<Record<string, string>>;

export interface CalendarImport {
  readonly id: number;
  /** `HC-7K3M9Q`, once something of it was sent. */
  readonly reference: string | null;
  /** What the calendar calls itself; may be empty. */
  readonly name: string;
  /** Where it was fetched; null for a file. */
  readonly url: string | null;
  readonly lang: Lang;
  /** Timestamp of the reading or the sending. */
  readonly at: string;
  /** What somebody chooses from; null where nothing is being chosen. */
  readonly draft: ImportDraft | null;
  /** What was answered when it was sent, for the next time. */
  readonly choices: ImportAnswers;
  /** What its token is made of; null of one from before that was stored. */
  readonly seed: string | null;
}

/** Whether it is ticked unless somebody says otherwise; whether it can be ticked at all. */
export const isPreselected = ({ standing, event }: ImportRow): boolean =>
  (standing === 'new' || standing === 'changed') &&
  !event.doubts.some(({ rule }) => rule === 'private');
export const isSelectable = ({ standing, reference }: ImportRow): boolean =>
  standing !== 'same' && (standing !== 'cancelled' || reference !== null);

const PRICE = ['price_kind', 'price_min', 'price_max'] as const;
const REST = ['price_note', 'organizer_name', 'organizer_url', 'contact_email'] as const;
/** What is asked, with the controls of the form: of all events, each place, an event by itself; at the desk of all that are ticked. */
export const IMPORT_CONTROLS = {
  all: ['category', ...PRICE, 'description', ...REST],
  place: ['venue_name', 'venue_address', 'zone'],
  row: [
    'category',
    'venue_name',
    'zone',
    'start_date',
    'start_time',
    'end_time',
    'end_date',
    ...PRICE,
    'description',
  ],
  ticked: ['category', 'venue_name', 'zone', ...PRICE],
} as const satisfies Readonly<Record<string, readonly FormField[]>>;
const isAsked = (of: keyof typeof IMPORT_CONTROLS, name: FormField): boolean =>
  IMPORT_CONTROLS[of].some((known) => known === name);

/** A control of the form, told apart by the row or place that it is of; null for all. */
export const rowControlName = (name: string, of: string | null): string =>
  of === null ? name : `${name}_${of}`;
export const placeControlId = (place: number): string => `p${place}`;

/** What was answered of a row, a place or all, empty or not. */
export const selectAnswers = (
  answers: ImportAnswers,
  names: readonly FormField[],
  of: string | null,
): FormValues =>
  Object.fromEntries(
    names.flatMap((name) => {
      const answer = answers[rowControlName(name, of)];
      return answer === undefined ? [] : [[name, answer.trim()]];
    }),
  );
const withoutEmpty = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));

/**
 * One event with what was answered for it: what stands in its controls, and the submission where there are no issues.
 * These are by control as it is sent; `issue` is null where the event says another price than is said of all. Never
 * throws.
 */
export function parseImportRow(
  { event, place }: ImportRow,
  id: string,
  answers: ImportAnswers,
  lang: Lang,
  known: VenueLookups,
  now_ms: number,
) {
  const own = selectAnswers(answers, IMPORT_CONTROLS.row, id);
  const price_of_all = selectAnswers(answers, PRICE, null);
  const has_price = Boolean(own.price_kind || own.price_min);
  const other_price = has_price ? null : findOtherPrice(event, price_of_all);
  const of_place = selectAnswers(answers, IMPORT_CONTROLS.place, placeControlId(place));
  const is_elsewhere = own.venue_name && own.venue_name !== of_place.venue_name;
  const asked = withoutEmpty({
    ...selectAnswers(answers, ['category', ...REST], null),
    ...(has_price ? {} : (other_price ?? price_of_all)),
    ...of_place,
    // The address is that of the place for all.
    ...(is_elsewhere && { venue_address: '' }),
    ...findCategory(event, known),
  });
  // Of what its calendar says an event that stands open may also be without.
  const said = {
    ...toSaid(event, answers.description?.trim()),
    ...(own.start_time && { all_day: '' }),
    ...{ lang, ...own },
  };
  const values = withoutEmpty({ ...said, ...asked, ...withoutEmpty(own) });
  const { input, issues } = formToSubmissionInput(values);
  const reading = parseSubmission(input, known, now_ms, isOngoingOrUpcoming(event, now_ms));
  const { venue_name = '', zone = '' } = values;
  const is_nowhere =
    venue_name !== '' &&
    zone === '' &&
    known.findVenueByName(venue_name, null) === null &&
    !isSubmittedAsOnline(input);
  const toOf = (name: FormField): string | null => {
    const is_other_price = other_price !== null && PRICE.some((one) => one === name);
    if (own[name] !== undefined || is_other_price) return id;
    return isAsked('place', name) ? placeControlId(place) : isAsked('all', name) ? null : id;
  };
  const all = [
    ...(other_price ? [null] : []),
    ...issues,
    ...reading.issues,
    ...(is_nowhere ? [createIssue('zone', 'missing')] : []),
  ].map((found) => {
    const name = found === null ? 'price_kind' : controlOfField(found.field);
    return { control: rowControlName(name, toOf(name)), name, issue: found };
  });
  return { values, submission: all.length > 0 ? null : reading.submission, issues: all };
}

/** A submission needs as many characters. */
const MIN_DESCRIPTION = 20;

/** What the calendar says of an event, in the controls of the form; what is too short with the text for all. */
const toSaid = (event: ImportedEvent, text_of_all = ''): FormValues => ({
  title: event.title,
  description:
    event.description.length >= MIN_DESCRIPTION
      ? event.description
      : [event.description, text_of_all].filter(Boolean).join('\n\n'),
  ...datesToControls(event.start, event.end),
  all_day: event.all_day ? '1' : '',
  dates: event.dates.join('\n'),
  source_url: event.url ?? '',
});

/** What lasts for days may have begun before today. */
export function isOngoingOrUpcoming(
  moments: Pick<ImportedEvent, 'start' | 'end' | 'dates'>,
  now_ms: number,
): boolean {
  const last = getLastDay(moments);
  return parseDay(last) !== null && last >= toLocalDay(now_ms).toString();
}

/** The category that the calendar names, by its key or its words. */
function findCategory({ categories }: ImportedEvent, { taxonomy }: VenueLookups): FormValues {
  const [found] = categories.flatMap(
    (word) =>
      findTaxon(taxonomy.categories, word) ??
      taxonomy.categories.filter(({ name }) =>
        LANGS.some((lang) => foldText(name[lang]) === foldText(word)),
      ),
  );
  return found === undefined ? {} : { category: found.key };
}

const SPEAKS_OF_PAYING = /\b(mxn|pesos|euros?|boletos?|preventa|taquilla|tickets?)\b/;
const SPEAKS_OF_FREE =
  /\b(gratis|gratuit[oa]s?|(entrada|acceso) libre|free (entry|admission)|for free)\b/;

/** What an event says of its price, where that is not what is said of all: `Gratis` beside `$150` or `boletos`. */
function findOtherPrice(
  { title, description }: ImportedEvent,
  of_all: FormValues,
): FormValues | null {
  const { price_kind, price_min = '', price_max = '' } = of_all;
  const kind = price_kind || (price_min === '' ? 'unknown' : 'fixed');
  if (kind === 'unknown') return null;
  const text = foldText(`${title} ${description}`);
  const speaks_of_paying = SPEAKS_OF_PAYING.test(text);
  const toAmounts = (found: Iterable<RegExpMatchArray>): number[] =>
    Array.from(found, ([amount]) => Number(amount.replaceAll(',', '')));
  const amounts = toAmounts(text.matchAll(/(?<=[$€£]\s?)\d[\d,]*|\d[\d,]*(?=\s?[€£])/g));
  if (amounts.length === 0 && kind === 'free')
    return speaks_of_paying ? { price_kind: 'fixed' } : null;
  if (amounts.length === 0)
    return SPEAKS_OF_FREE.test(text) && !speaks_of_paying ? { price_kind: 'free' } : null;
  const said = kind === 'free' ? [] : toAmounts(`${price_min} ${price_max}`.matchAll(/\d[\d,]*/g));
  if (amounts.every((amount) => said.includes(amount))) return null;
  const [min, max] = [Math.min(...amounts), Math.max(...amounts)];
  const most = max > min ? String(max) : '';
  return { price_kind: 'fixed', price_min: String(min), price_max: most };
}
