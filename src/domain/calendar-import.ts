// Calendar import: turns the events of a calendar that a sender uploads, or gives the URL of, into
// submissions (contract 14.34, 14.35). The parsed calendar is a draft, with one row per event,
// until the sender has selected the rows to submit and has answered questions for all events, for
// each place and for single rows.
import * as v from 'valibot';
import { parseDay, toLocalDay } from './local-time.ts';
import { isSubmittedAsOnline } from './event/event.ts';
import { type ImportedEvent, ImportedEventSchema, ImportFailureSchema } from './imported-events.ts';
import { readPriceWords } from './submission/price-words.ts';
import { foldText } from './text-folding.ts';
import { type Lang, LANGS } from './lang.ts';
import type { FormField } from './submission/fields.ts';
import {
  type FormValues,
  controlOfField,
  formToSubmissionInput,
} from './submission/form-values.ts';
import { type VenueLookups, parseSubmission } from './submission/parse-submission.ts';
import { createIssue, SUBMISSION_LIMITS } from './submission/field-rules.ts';
import { getLastDay, datesToControls, withRestDays } from './submission/form-dates.ts';
import { findTaxon } from './taxon.ts';

/**
 * Limits: open drafts per sender address and in total, lifetime of a draft in ms, and places of a
 * calendar with questions of their own.
 */
export const IMPORT_DRAFT_LIMITS = {
  drafts_of_sender: 5,
  drafts: 200,
  draft_ms: 24 * 3_600_000,
  places: 60,
} as const;

/**
 * Status of an imported event: new; known from the agenda or the review queue; submitted from this
 * calendar before, the same or changed; cancelled in the calendar, or gone from it.
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
  /** `standing`: the status of the row. */
  standing: v.picklist(IMPORT_ROW_STATUSES),
  /**
   * `like`: the matching event of the agenda; null if the event is new or still in the review
   * queue.
   */
  like: v.nullable(v.object({ id: v.string(), title: v.string() })),
  /** Reference of its submission from this calendar, if any. */
  reference: v.nullable(v.string()),
  /** Index of its location in `places` of the draft. */
  place: v.number(),
});
export type ImportRow = Readonly<v.InferOutput<typeof RowSchema>>;

export const ImportDraftSchema = v.object({
  rows: v.array(RowSchema),
  failures: v.array(ImportFailureSchema),
  /** Number of past events of the calendar, which are skipped. */
  over: v.number(),
  /** Distinct locations as written in the calendar; an empty text if an event has none. */
  places: v.array(v.string()),
});
export type ImportDraft = Readonly<v.InferOutput<typeof ImportDraftSchema>>;

/** The sender's answers: form values by control name (see rowControlName). */
export type ImportAnswers = Readonly<Record<string, string>>;

/** A calendar that a sender imported, with its draft and the answers so far. */
export interface CalendarImport {
  readonly id: number;
  /** `HC-7K3M9Q`, once events of it were submitted. */
  readonly reference: string | null;
  /** The calendar's own name; may be empty. */
  readonly name: string;
  /** Source URL; null for an uploaded file. */
  readonly url: string | null;
  readonly lang: Lang;
  /** Timestamp of the import or the submission. */
  readonly at: string;
  /** The open draft, if any. */
  readonly draft: ImportDraft | null;
  /** The answers of the last submission, as defaults for the next. */
  readonly choices: ImportAnswers;
  /** Random seed of the sender's access token; null for imports stored before there were seeds. */
  readonly seed: string | null;
}

/** Doubts of events that are not selected by default. */
const UNSELECTED_DOUBTS: readonly string[] = ['private', 'long_ago'];
/** Returns true if the row is selected by default: new or changed, and without such a doubt. */
export const isPreselected = ({ standing, event }: ImportRow): boolean =>
  (standing === 'new' || standing === 'changed') &&
  !event.doubts.some(({ rule }) => UNSELECTED_DOUBTS.includes(rule));
/**
 * Returns true if the row can be selected at all; cancelled events only if they were submitted
 * before.
 */
export const isSelectable = ({ standing, reference }: ImportRow): boolean =>
  standing !== 'same' && (standing !== 'cancelled' || reference !== null);

const PRICE_FIELDS = ['price_kind', 'price_min', 'price_max'] as const;
const OTHER_FIELDS = ['price_note', 'organizer_name', 'organizer_url', 'contact_email'] as const;
/**
 * Form controls of the questions, by scope: for all events (`all`), each place, a single event
 * (`row`), and, at the desk, for all selected rows (`ticked`).
 */
export const IMPORT_CONTROLS = {
  all: ['category', ...PRICE_FIELDS, 'description', ...OTHER_FIELDS],
  place: ['venue_name', 'venue_address', 'zone'],
  row: [
    'category',
    'venue_name',
    'zone',
    'start_date',
    'start_time',
    'end_time',
    'end_date',
    ...PRICE_FIELDS,
    'description',
  ],
  ticked: ['category', 'venue_name', 'zone', ...PRICE_FIELDS],
} as const satisfies Readonly<Record<string, readonly FormField[]>>;
/** Returns true if the questions of a scope include a control. */
const hasControl = (scope: keyof typeof IMPORT_CONTROLS, name: FormField): boolean =>
  IMPORT_CONTROLS[scope].some((control) => control === name);

/**
 * Returns the control name of a form field for one row or place.
 * @param scope_id Row or place id; null for the controls of all events.
 */
export const rowControlName = (name: string, scope_id: string | null): string =>
  scope_id === null ? name : `${name}_${scope_id}`;
/** Returns the scope id of a place from its index in `places`. */
export const placeControlId = (place: number): string => `p${place}`;

/**
 * Selects the answers of a row, a place (by scope id) or all events (null), including empty ones.
 */
export const selectAnswers = (
  answers: ImportAnswers,
  names: readonly FormField[],
  scope_id: string | null,
): FormValues =>
  Object.fromEntries(
    names.flatMap((name) => {
      const answer = answers[rowControlName(name, scope_id)];
      return answer === undefined ? [] : [[name, answer.trim()]];
    }),
  );
const withoutEmpty = (values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Control with which the sender says that repeated events are on at customary rest days. */
export const HOLIDAYS_CONTROL = 'holidays';

/** Adds the customary rest days to the dates of an event; its first date may become an earlier one. */
function includeRestingDays(event: ImportedEvent): ImportedEvent {
  const { start, end, resting, ...others } = event;
  const start_day = start.slice(0, 10);
  const [first_day = start_day, ...days] = [start_day, ...event.dates, ...(resting ?? [])].sort();
  const moved_by = parseDay(start_day)?.until(first_day) ?? {};
  const moveDay = (text: string): string =>
    `${parseDay(text.slice(0, 10))?.add(moved_by) ?? ''}${text.slice(10)}`;
  const dates = days.slice(0, SUBMISSION_LIMITS.dates);
  return { ...others, start: moveDay(start), end: end && moveDay(end), dates };
}

/**
 * Parses one event with its answers into form values and, if there are no issues, a submission.
 * Never throws.
 * @returns Issues by control name; `issue` is null if the event states another price than the price
 *   for all events.
 */
export function parseImportRow(
  { event: parsed_event, place }: ImportRow,
  row_id: string,
  answers: ImportAnswers,
  lang: Lang,
  lookups: VenueLookups,
  now_ms: number,
) {
  const event = answers[HOLIDAYS_CONTROL] ? includeRestingDays(parsed_event) : parsed_event;
  const row_answers = selectAnswers(answers, IMPORT_CONTROLS.row, row_id);
  const has_price = Boolean(row_answers.price_kind || row_answers.price_min);
  const shared_price = selectAnswers(answers, PRICE_FIELDS, null);
  const other_price = has_price ? null : findOtherPrice(event, shared_price);
  const shared_answers = {
    ...selectSharedAnswers(answers, placeControlId(place), row_answers.venue_name),
    ...(has_price ? {} : withoutEmpty(other_price ?? shared_price)),
    ...findCategory(event, lookups),
  };
  // From weakest to strongest: the calendar's values, the row's empty answers, shared answers, the
  // row's answers. So an empty row answer removes the calendar's value, but not a shared answer.
  const base_values = {
    ...eventToValues(event, answers.description?.trim()),
    ...(row_answers.start_time && { all_day: '' }),
    lang,
    ...row_answers,
  };
  const values = withoutEmpty({ ...base_values, ...shared_answers, ...withoutEmpty(row_answers) });

  const { input, issues } = formToSubmissionInput(values);
  const parsed = parseSubmission(input, lookups, now_ms, isOngoingOrUpcoming(event, now_ms));
  const { venue_name = '', zone = '' } = values;
  const lacks_zone =
    venue_name !== '' &&
    zone === '' &&
    lookups.findVenueByName(venue_name, null) === null &&
    !isSubmittedAsOnline(input);
  const all_issues = [
    // Null: the issue that the event's text states another price.
    ...(other_price ? [null] : []),
    ...issues,
    ...parsed.issues,
    ...(lacks_zone ? [createIssue('zone', 'missing')] : []),
  ].map((issue) => {
    const name = issue === null ? 'price_kind' : controlOfField(issue.field);
    const is_other_price = other_price !== null && PRICE_FIELDS.some((control) => control === name);
    const is_row_control = row_answers[name] !== undefined || is_other_price;
    const scope_id = is_row_control ? row_id : findScopeId(name, row_id, place);
    return { control: rowControlName(name, scope_id), name, issue };
  });
  return {
    values,
    submission:
      all_issues.length > 0 || parsed.submission === null
        ? null
        : withRestDays(parsed.submission, { resting: event.resting ?? [], rests: [] }),
    issues: all_issues,
  };
}

/** Selects the non-empty answers for all events and for the place of a row. */
function selectSharedAnswers(
  answers: ImportAnswers,
  place_id: string,
  row_venue: string | undefined,
): FormValues {
  const place_answers = selectAnswers(answers, IMPORT_CONTROLS.place, place_id);
  const is_elsewhere = row_venue && row_venue !== place_answers.venue_name;
  return withoutEmpty({
    ...selectAnswers(answers, ['category', ...OTHER_FIELDS], null),
    ...place_answers,
    // The address belongs to the shared place, not to the row's own venue.
    ...(is_elsewhere && { venue_address: '' }),
  });
}

/**
 * Returns the scope of a control without an answer in the row: its place, all events (null), or the
 * row.
 */
function findScopeId(name: FormField, row_id: string, place: number): string | null {
  if (hasControl('place', name)) return placeControlId(place);
  return hasControl('all', name) ? null : row_id;
}

/** Shortest description of a submission, in characters. */
const MIN_DESCRIPTION_LENGTH = 20;

/**
 * Builds form values from an imported event; a short description is extended by the text for all
 * events.
 */
const eventToValues = (event: ImportedEvent, text_of_all = ''): FormValues => ({
  title: event.title,
  description:
    event.description.length >= MIN_DESCRIPTION_LENGTH
      ? event.description
      : [event.description, text_of_all].filter(Boolean).join('\n\n'),
  ...datesToControls(event.start, event.end),
  all_day: event.all_day ? '1' : '',
  dates: event.dates.join('\n'),
  source_url: event.url ?? '',
});

/**
 * Returns true if the event's last day is not past: an event of several days may have begun before
 * today.
 */
export function isOngoingOrUpcoming(
  moments: Pick<ImportedEvent, 'start' | 'end' | 'dates'>,
  now_ms: number,
): boolean {
  const last_day = getLastDay(moments);
  return parseDay(last_day) !== null && last_day >= toLocalDay(now_ms).toString();
}

/** Finds the category named in the calendar, by its key or its name. */
function findCategory({ categories }: ImportedEvent, { taxonomy }: VenueLookups): FormValues {
  const [category] = categories.flatMap(
    (word) =>
      findTaxon(taxonomy.categories, word) ??
      taxonomy.categories.filter(({ name }) =>
        LANGS.some((lang) => foldText(name[lang]) === foldText(word)),
      ),
  );
  return category === undefined ? {} : { category: category.key };
}

/**
 * Finds a price in an event's text that contradicts the price for all events: `Gratis` against
 * `$150` or `boletos`.
 * @returns The price controls of that price; null if the text states no price, or no other one.
 */
function findOtherPrice(
  { title, description }: ImportedEvent,
  shared_price: FormValues,
): FormValues | null {
  const { price_kind, price_min = '', price_max = '' } = shared_price;
  const kind = price_kind || (price_min === '' ? 'unknown' : 'fixed');
  if (kind === 'unknown') return null;
  const words = readPriceWords(`${title}\n${description}`);
  const { amounts } = words;
  const has_cost = words.costs.length > 0 || words.mentions_tickets;
  if (amounts.length === 0 && kind === 'free') return has_cost ? { price_kind: 'fixed' } : null;
  if (amounts.length === 0) return words.is_free && !has_cost ? { price_kind: 'free' } : null;
  const shared_amounts =
    kind === 'free'
      ? []
      : Array.from(`${price_min} ${price_max}`.matchAll(/\d[\d,]*/g), ([amount]) =>
          Number(amount.replaceAll(',', '')),
        );
  // The text names only amounts of the shared price.
  if (amounts.every((amount) => shared_amounts.includes(amount))) return null;
  return formatAmounts(amounts);
}

/** Returns the price controls of the lowest and the highest amount. */
function formatAmounts(amounts: readonly number[]): FormValues {
  const [min, max] = [Math.min(...amounts), Math.max(...amounts)];
  const highest = max > min ? String(max) : '';
  return { price_kind: 'fixed', price_min: String(min), price_max: highest };
}

/**
 * Reads the price of an event from its own text, if the price for all events is unknown.
 * @returns The answers for its row; empty if the row has a price, or the text states none clearly.
 */
export function offerOwnPrice(
  { event: { title, description } }: ImportRow,
  row_id: string,
  answers: ImportAnswers,
): ImportAnswers {
  const { price_kind = '', price_min = '' } = selectAnswers(answers, PRICE_FIELDS, null);
  const is_unknown = price_min === '' && ['', 'unknown'].includes(price_kind);
  const is_answered = Object.keys(selectAnswers(answers, PRICE_FIELDS, row_id)).length > 0;
  const words = readPriceWords(`${title}\n${description}`);
  const { is_free, amounts, costs, mentions_tickets } = words;
  if (!is_unknown || is_answered || is_free === amounts.length > 0) return {};
  if (is_free && (costs.length > 0 || mentions_tickets)) return {};
  const price = is_free ? { price_kind: 'free' } : formatAmounts(amounts);
  return Object.fromEntries(
    Object.entries(price).map(([name, value]) => [rowControlName(name, row_id), value]),
  );
}
