// Import selection: suggests and parses the sender's answers about an imported calendar (per event,
// per location and for all events), and builds the page that selects the events to submit (contract
// 14.34).
// Names of a stored draft: `places` = its locations as written; `over` = number of omitted events;
// `standing` of a row = its status, such as `known` (in the agenda or the review queue) or `gone`
// (no longer in the calendar); `like` = the matching event of the agenda; `choices` = reusable
// answers of the last import. The control `pick` has the ids of the selected rows; an id is the
// row's index.
// `open` has the id of the row that the sender expanded, or `all`.
import type { SelectedRow } from '../../desk/calendar-imports.ts';
import { createReferenceData } from '../../desk/reference-data.ts';
import {
  HOLIDAYS_CONTROL,
  IMPORT_CONTROLS,
  IMPORT_ROW_STATUSES,
  type ImportAnswers,
  type ImportDraft,
  isSelectable,
  isPreselected,
  offerOwnPrice,
  selectAnswers,
  parseImportRow,
  type CalendarImport,
  placeControlId,
  rowControlName,
} from '../../domain/calendar-import.ts';
import type { FormField } from '../../domain/submission/fields.ts';
import type { FormValues } from '../../domain/submission/form-values.ts';
import type { Lang } from '../../domain/lang.ts';
import { suggestVenue } from '../../domain/submission/duplicate-detection.ts';
import { formatRestingDays } from '../../i18n/format-dates.ts';
import { formatImportedWhen, fieldLabel } from '../../i18n/format-forms.ts';
import { formatPrice } from '../../i18n/format-price.ts';
import { recordPath } from '../../i18n/paths.ts';
import { t, tPlural } from '../../i18n/translate.ts';
import { listVenues } from '../../snapshot/list-records.ts';
import { TOWN } from '../../town.ts';
import type { PageMeta } from '../page-meta.ts';
import type { PageContext } from '../page-context.ts';
import { type FormState, listFormOptions, formatSubmissionIssue } from './parse-form.ts';

/** An event with a checkbox, in an imported calendar or at the desk. */
export interface SelectableRow {
  /** Value of the checkbox, and suffix of the names of the row's controls. */
  readonly id: string;
  readonly title: string;
  /** Its checkbox is checked. */
  readonly is_selected: boolean;
  /**
   * False for rows that cannot be submitted: unchanged, or cancelled before they were submitted.
   */
  readonly is_selectable: boolean;
  readonly facts: readonly string[];
  readonly links: readonly { readonly label: string; readonly path: string }[];
  /** Start of the description, for folded rows. */
  readonly excerpt: string;
  readonly warnings: readonly string[];
  /** Sentences with the label of their control. */
  readonly issues: readonly string[];
  /** Null if the row is folded or has no controls. */
  readonly form: FormState | null;
  /** The row has controls. */
  readonly is_expandable: boolean;
  /** At the desk only: the reviewed revision. */
  readonly revision?: number;
  /** At the desk only: the fields that the editor adds. */
  readonly additions?: readonly {
    readonly name: string;
    readonly label: string;
    readonly value: string | undefined;
    readonly value_lang: Lang | undefined;
    readonly kind: 'input' | 'area' | 'check';
    /** Value of a checked checkbox. */
    readonly confirms: string | undefined;
  }[];
}

const MAX_EXCERPT_LENGTH = 200;

/** Shortens a description at a word boundary. */
export const excerpt = (text: string): string =>
  text.length <= MAX_EXCERPT_LENGTH
    ? text
    : `${text.slice(0, MAX_EXCERPT_LENGTH).replace(/\s+\S*$/, '')}…`;

/** Returns true if the controls of a row were submitted, or the visitor expanded it. */
export const isRowExpanded = (fields: ImportAnswers, id: string): boolean =>
  fields.open === id ||
  fields.open === 'all' ||
  fields[rowControlName('category', id)] !== undefined;

/**
 * Key of a reusable answer about a location. It has the location's text, because its index may
 * change.
 */
const reusableKey = (location: string, name: string): string => `${name} of ${location}`;

/**
 * Suggests the initial answers: from the last import, otherwise the likely venue of each location.
 */
export function suggestImportAnswers(
  { snapshot }: PageContext,
  { choices }: CalendarImport,
  { rows, places }: ImportDraft,
): ImportAnswers {
  const venues = listVenues(snapshot);
  const location_answers = places.flatMap((location, index) => {
    const { name, address, zone } = suggestVenue(location, venues, snapshot.taxonomy.zones);
    const likely_answers = { venue_name: name, venue_address: address, zone };
    return IMPORT_CONTROLS.place.map((field) => [
      rowControlName(field, placeControlId(index)),
      choices[reusableKey(location, field)] ?? likely_answers[field],
    ]);
  });
  const preselected_ids = rows.flatMap((row, index) => (isPreselected(row) ? [index] : []));
  return {
    ...selectAnswers(choices, IMPORT_CONTROLS.all, null),
    [HOLIDAYS_CONTROL]: choices[HOLIDAYS_CONTROL] ?? '',
    ...Object.fromEntries(location_answers),
    pick: preselected_ids.join(','),
  };
}

/**
 * Selects the answers to suggest for the next version of the calendar. Private data is stored with
 * the events only.
 */
export const selectReusableAnswers = (
  { places }: ImportDraft,
  answers: ImportAnswers,
): ImportAnswers => {
  const { contact_email: _, ...answers_for_all } = selectAnswers(
    answers,
    IMPORT_CONTROLS.all,
    null,
  );
  const location_answers = places.flatMap((location, index) =>
    Object.entries(selectAnswers(answers, IMPORT_CONTROLS.place, placeControlId(index))).map(
      ([name, answer]) => [reusableKey(location, name), answer],
    ),
  );
  return {
    ...answers_for_all,
    ...Object.fromEntries(location_answers),
    [HOLIDAYS_CONTROL]: answers[HOLIDAYS_CONTROL] ?? '',
  };
};

/**
 * Parses the answers for each event of a draft.
 * @returns `ready`: the selected events that are complete; `incomplete_count`: number of the other
 * selected ones.
 */
export function parseImportRows(
  { snapshot, now_ms }: PageContext,
  { lang }: CalendarImport,
  draft: ImportDraft,
  answers: ImportAnswers,
) {
  const reference_data = createReferenceData(snapshot);
  const selected_ids = new Set((answers.pick ?? '').split(','));
  const rows = draft.rows.map((row, index) => {
    const id = String(index);
    const is_selectable = isSelectable(row);
    // A cancelled event needs no answers.
    const has_controls = is_selectable && !row.event.is_cancelled;
    const offered_price = has_controls ? offerOwnPrice(row, id, answers) : {};
    const parsed = has_controls
      ? parseImportRow(row, id, { ...answers, ...offered_price }, lang, reference_data, now_ms)
      : null;
    const is_selected = is_selectable && selected_ids.has(id);
    const has_offered_price = Object.keys(offered_price).length > 0;
    return { id, row, is_selectable, is_selected, parsed, has_offered_price };
  });
  const selected = rows.filter(({ is_selected }) => is_selected);
  const ready = selected.flatMap(({ row, parsed }): SelectedRow[] => {
    const submission = parsed?.submission ?? null;
    const is_complete = parsed === null || submission !== null;
    return is_complete ? [{ row, submission }] : [];
  });
  return { rows, ready, incomplete_count: selected.length - ready.length };
}
type ParsedRows = ReturnType<typeof parseImportRows>;

/** The imported calendar, and its private page. */
interface SelectionContext {
  readonly context: PageContext;
  readonly calendar_import: CalendarImport;
  readonly meta: PageMeta;
  readonly path: string;
}

export type ImportSelectionPage = ReturnType<typeof buildImportSelectionPage>;

/**
 * Builds the page.
 * @param is_submitted The sender tried to submit: the selected events show their issues.
 */
export function buildImportSelectionPage(
  { context, calendar_import, meta, path }: SelectionContext,
  { places, over, failures }: ImportDraft,
  answers: ImportAnswers,
  { rows, ready, incomplete_count }: ParsedRows,
  banner: string | null,
  is_submitted: boolean,
) {
  const { lang, site } = meta;
  const { snapshot } = context;
  const reference_data = createReferenceData(snapshot);
  const options = listFormOptions(snapshot, lang);
  const issues = formatRowIssues(is_submitted ? rows : [], lang);
  /** @param form_id Id of the row or location; null for the controls of all events. */
  const buildForm = (
    values: FormValues,
    names: readonly FormField[],
    form_id: string | null,
  ): FormState => ({
    values,
    issues: new Map(
      names.flatMap((name) => {
        const sentence = issues.get(rowControlName(name, form_id));
        return sentence === undefined ? [] : [[name, sentence] as const];
      }),
    ),
    accepts_files: false,
    sends_mail: site.sends_mail === true,
    options,
  });
  const answers_for_all = selectAnswers(answers, IMPORT_CONTROLS.all, null);
  const are_holidays_on = Boolean(answers[HOLIDAYS_CONTROL]);
  return {
    /** Null if no event has customary rest days; else true if the sender says that they are on. */
    are_holidays_on: rows.some(({ row }) => row.event.resting) ? are_holidays_on : null,
    meta,
    path,
    calendar_import,
    banner,
    omitted_count: over,
    failures,
    rows: rows.map((row): SelectableRow => {
      const { id, parsed } = row;
      const row_issues = is_submitted && row.is_selected ? listOwnIssues(row) : [];
      // A folded row with an issue is expanded.
      const has_control_issue = row_issues.some(({ name }) =>
        IMPORT_CONTROLS.row.some((control) => control === name),
      );
      const is_expanded = has_control_issue || isRowExpanded(answers, id);
      return {
        ...buildRowSummary(row, are_holidays_on, lang),
        issues: row_issues.map(
          ({ name, control }) => `${fieldLabel(name, lang)}: ${issues.get(control) ?? ''}`,
        ),
        form: parsed && is_expanded ? buildForm(parsed.values, IMPORT_CONTROLS.row, id) : null,
      };
    }),
    /** Number of events in the latest version of the calendar. */
    event_count: rows.filter(({ row }) => row.standing !== 'gone').length,
    status_counts: formatStatusCounts(rows, failures.length, lang),
    /**
     * Number of complete events that can be sent without the incomplete ones; 0 if none is
     * incomplete.
     */
    ready_count: is_submitted && incomplete_count > 0 ? ready.length : 0,
    /** Controls whose answers apply to all events. */
    form: buildForm(answers_for_all, IMPORT_CONTROLS.all, null),
    locations: places.map((location, index) => {
      const id = placeControlId(index);
      const values = selectAnswers(answers, IMPORT_CONTROLS.place, id);
      const venue = reference_data.findVenueByName(values.venue_name ?? '', values.zone || null);
      return {
        id,
        name: location || t(lang, 'batch.place.none'),
        event_count: rows.filter(({ row }) => row.place === index && row.standing !== 'gone')
          .length,
        /** Name of the venue record; null for a new venue. */
        known_venue: (venue && reference_data.getVenue(venue)?.name) ?? null,
        form: buildForm(values, IMPORT_CONTROLS.place, id),
      };
    }),
  };
}

type ParsedRow = ParsedRows['rows'][number];

/**
 * Formats the issues of the selected rows, by the name of their control. A null issue asks for the
 * price.
 */
const formatRowIssues = (rows: readonly ParsedRow[], lang: Lang): ReadonlyMap<string, string> =>
  new Map(
    rows
      .flatMap(({ is_selected, parsed }) => (is_selected ? (parsed?.issues ?? []) : []))
      .map(({ control, issue }) => [
        control,
        issue === null ? t(lang, 'batch.ask.price') : formatSubmissionIssue(issue, lang),
      ]),
  );

/**
 * Lists the issues of the row's own controls, without the controls of its location or of all
 * events.
 */
const listOwnIssues = ({ id, parsed }: ParsedRow) =>
  parsed?.issues.filter(({ control, name }) => control === rowControlName(name, id)) ?? [];

/** Builds the parts of a row that do not depend on its answers. */
function buildRowSummary(
  { id, row, is_selected, is_selectable, parsed, has_offered_price }: ParsedRow,
  are_holidays_on: boolean,
  lang: Lang,
): Omit<SelectableRow, 'issues' | 'form'> {
  const { event, standing, like } = row;
  const status = standing === 'cancelled' && is_selectable ? 'cancel' : standing;
  return {
    id,
    title: event.title,
    is_selected,
    is_selectable,
    facts: [
      t(lang, `batch.standing.${status}`),
      formatImportedWhen(event, lang),
      event.location,
    ].filter(Boolean),
    links: (like ? [like] : []).map(({ id: like_id, title }) => ({
      label: `${t(lang, 'batch.like')} ${title}`,
      path: recordPath('event', { es: like_id, en: like_id }, lang),
    })),
    excerpt: excerpt(event.description),
    warnings: [
      ...(standing === 'known' ? [t(lang, `batch.like.${like ? 'other' : 'waiting'}`)] : []),
      ...(standing === 'gone' ? [t(lang, 'batch.like.gone')] : []),
      ...(event.resting && !are_holidays_on
        ? [formatRestingDays('batch.resting', event.resting, lang)]
        : []),
      ...(has_offered_price && parsed
        ? [t(lang, 'batch.price', { price: formatOfferedPrice(parsed.values, lang) })]
        : []),
      ...event.doubts.map(({ rule, text }) => t(lang, `batch.doubt.${rule}`, { text })),
    ],
    is_expandable: parsed !== null,
  };
}

/** Formats the price that was read from the text of an event. */
const formatOfferedPrice = (
  { price_kind, price_min = '0', price_max }: FormValues,
  lang: Lang,
): string => {
  const amounts = { min: Number(price_min), max: Number(price_max || price_min) };
  const { code } = TOWN.currency;
  return formatPrice(
    { is_free: price_kind === 'free', ...amounts, currency: code, note: null },
    lang,
  );
};

/** Formats the number of events of each status, such as `12 new`, without zeros. */
function formatStatusCounts(
  rows: readonly ParsedRow[],
  failure_count: number,
  lang: Lang,
): readonly string[] {
  const counts = [
    ...IMPORT_ROW_STATUSES.map((status) => {
      const count = rows.filter(({ row }) => row.standing === status).length;
      return [`batch.count.${status}`, count] as const;
    }),
    ['batch.count.failures', failure_count] as const,
  ];
  return counts.flatMap(([key, count]) => (count > 0 ? [tPlural(lang, key, count)] : []));
}
