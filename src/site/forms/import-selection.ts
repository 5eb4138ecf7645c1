// A calendar that was read, for somebody to choose from: its events, what is asked once for all and for each
// place, and of which events something is asked by itself (contract 14.34).
import type { SelectedRow } from '../../desk/calendar-imports.ts';
import { createReferenceData } from '../../desk/reference-data.ts';
import {
  IMPORT_CONTROLS,
  IMPORT_ROW_STATUSES,
  type ImportAnswers,
  type ImportDraft,
  isSelectable,
  isPreselected,
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
import { formatImportedWhen, fieldLabel } from '../../i18n/format-forms.ts';
import { recordPath } from '../../i18n/paths.ts';
import { t, tPlural } from '../../i18n/translate.ts';
import { listVenues } from '../../snapshot/list-records.ts';
import type { PageMeta } from '../page-meta.ts';
import type { PageContext } from '../page-context.ts';
import { type FormState, listFormOptions, formatSubmissionIssue } from './parse-form.ts';

/** An event in a list of which some are ticked, here and at the desk. */
export interface SelectableRow {
  /** What its tick sends, and behind what its controls are called. */
  readonly id: string;
  readonly title: string;
  readonly is_picked: boolean;
  readonly is_pickable: boolean;
  readonly facts: readonly string[];
  readonly links: readonly { readonly label: string; readonly path: string }[];
  readonly text: string;
  readonly warnings: readonly string[];
  readonly faults: readonly string[];
  /** Its controls; null where they are folded, or it has none. */
  readonly form: FormState | null;
  readonly can_open: boolean;
  /** Of the desk: which text is looked at, and what is added to it. */
  readonly revision?: number;
  readonly texts?: readonly {
    readonly name: string;
    readonly label: string;
    readonly value: string | undefined;
    readonly written: Lang | undefined;
    readonly is_area: boolean;
  }[];
}

/** Characters of a text that are shown of a folded event. */
const MAX_EXCERPT = 200;
export const excerpt = (text: string): string =>
  text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT).replace(/\s+\S*$/, '')}…`;

/** Whether the controls of a row stand open: they were sent, or it was asked for. */
export const isRowExpanded = (fields: ImportAnswers, id: string): boolean =>
  fields.open === id ||
  fields.open === 'all' ||
  fields[rowControlName('category', id)] !== undefined;

/** Under what a place is kept for the next time: its number may be another's then. */
const toKeptName = (said: string, name: string): string => `${name} of ${said}`;

/** What stands in the controls before anybody has chosen. */
export function suggestImportAnswers(
  { snapshot }: PageContext,
  { choices }: CalendarImport,
  { rows, places }: ImportDraft,
): ImportAnswers {
  const venues = listVenues(snapshot);
  const of_places = places.flatMap((said, at) => {
    const { name, address, zone } = suggestVenue(said, venues, snapshot.taxonomy.zones);
    const likely = { venue_name: name, venue_address: address, zone };
    return IMPORT_CONTROLS.place.map((field) => [
      rowControlName(field, placeControlId(at)),
      choices[toKeptName(said, field)] ?? likely[field],
    ]);
  });
  const pick = rows.flatMap((row, at) => (isPreselected(row) ? [at] : [])).join(',');
  return {
    ...selectAnswers(choices, IMPORT_CONTROLS.all, null),
    ...Object.fromEntries(of_places),
    pick,
  };
}

/** What of the answers is of use the next time; what is private is kept with the events alone. */
export const selectReusableAnswers = (
  { places }: ImportDraft,
  answers: ImportAnswers,
): ImportAnswers => {
  const { contact_email: _, ...of_all } = selectAnswers(answers, IMPORT_CONTROLS.all, null);
  const of_places = places.flatMap((said, at) =>
    Object.entries(selectAnswers(answers, IMPORT_CONTROLS.place, placeControlId(at))).map(
      ([name, answer]) => [toKeptName(said, name), answer],
    ),
  );
  return { ...of_all, ...Object.fromEntries(of_places) };
};

/** The events of a draft with what is answered for each; of those that are ticked which are complete. */
export function parseImportRows(
  { snapshot, now_ms }: PageContext,
  { lang }: CalendarImport,
  draft: ImportDraft,
  answers: ImportAnswers,
) {
  const known = createReferenceData(snapshot);
  const picked = new Set((answers.pick ?? '').split(','));
  const rows = draft.rows.map((row, at) => {
    const id = String(at);
    const is_pickable = isSelectable(row);
    const is_read = is_pickable && !row.event.is_cancelled;
    const reading = is_read ? parseImportRow(row, id, answers, lang, known, now_ms) : null;
    return { id, row, is_pickable, is_picked: is_pickable && picked.has(id), reading };
  });
  const ticked = rows.filter(({ is_picked }) => is_picked);
  const ready = ticked.flatMap(({ row, reading }): SelectedRow[] => {
    const submission = reading?.submission ?? null;
    return reading === null || submission !== null ? [{ row, submission }] : [];
  });
  return { rows, ready, incomplete: ticked.length - ready.length };
}

/** A calendar of which somebody chooses, and the page for that. */
interface Choosing {
  readonly state: PageContext;
  readonly batch: CalendarImport;
  readonly meta: PageMeta;
  readonly path: string;
}

export type ImportSelectionPage = ReturnType<typeof buildImportSelectionPage>;

/** `is_sent`: what is wrong with those that are ticked is said. */
export function buildImportSelectionPage(
  { state, batch, meta, path }: Choosing,
  { places, over, failures }: ImportDraft,
  answers: ImportAnswers,
  { rows, ready, incomplete }: ReturnType<typeof parseImportRows>,
  notice: string | null,
  is_sent: boolean,
) {
  const { lang, site } = meta;
  const { snapshot } = state;
  const known = createReferenceData(snapshot);
  const choices = listFormOptions(snapshot, lang);
  const issues = new Map(
    rows
      .flatMap(({ is_picked, reading }) => (is_sent && is_picked ? (reading?.issues ?? []) : []))
      .map(({ control, issue }) => [
        control,
        issue === null ? t(lang, 'batch.ask.price') : formatSubmissionIssue(issue, lang),
      ]),
  );
  const toForm = (values: FormValues, names: readonly FormField[], of: string | null) => ({
    values,
    issues: new Map(
      names.flatMap((name) => {
        const sentence = issues.get(rowControlName(name, of));
        return sentence === undefined ? [] : [[name, sentence] as const];
      }),
    ),
    takes_files: false,
    sends_mail: site.sends_mail === true,
    choices,
  });
  const shown = rows.map(({ id, row, is_picked, is_pickable, reading }): SelectableRow => {
    const { event, standing, like } = row;
    const own = reading?.issues.filter(({ control, name }) => control === rowControlName(name, id));
    const faults = is_sent && is_picked ? (own ?? []) : [];
    const is_asked = faults.some(({ name }) => IMPORT_CONTROLS.row.some((one) => one === name));
    return {
      id,
      title: event.title,
      is_picked,
      is_pickable,
      facts: [
        t(lang, `batch.standing.${standing === 'cancelled' && is_pickable ? 'cancel' : standing}`),
        formatImportedWhen(event, lang),
        event.location,
      ].filter(Boolean),
      links: (like ? [like] : []).map(({ id, title }) => ({
        label: `${t(lang, 'batch.like')} ${title}`,
        path: recordPath('event', { es: id, en: id }, lang),
      })),
      text: excerpt(event.description),
      warnings: [
        ...(standing === 'known' ? [t(lang, `batch.like.${like ? 'other' : 'waiting'}`)] : []),
        ...(standing === 'gone' ? [t(lang, 'batch.like.gone')] : []),
        ...event.doubts.map(({ rule, text }) => t(lang, `batch.doubt.${rule}`, { text })),
      ],
      faults: faults.map(
        ({ name, control }) => `${fieldLabel(name, lang)}: ${issues.get(control) ?? ''}`,
      ),
      can_open: reading !== null,
      form:
        reading && (is_asked || isRowExpanded(answers, id))
          ? toForm(reading.values, IMPORT_CONTROLS.row, id)
          : null,
    };
  });
  const standings = [
    ...IMPORT_ROW_STATUSES.map((standing) => {
      const count = rows.filter(({ row }) => row.standing === standing).length;
      return [`batch.count.${standing}`, count] as const;
    }),
    ['batch.count.failures', failures.length] as const,
  ];
  return {
    meta,
    path,
    batch,
    notice,
    over,
    failures,
    rows: shown,
    /** How many its calendar has. */
    count: rows.filter(({ row }) => row.standing !== 'gone').length,
    counts: standings.flatMap(([key, count]) => (count > 0 ? [tPlural(lang, key, count)] : [])),
    /** How many could be sent without the others; 0 where that is not the question. */
    ready: is_sent && incomplete > 0 ? ready.length : 0,
    /** What is asked once for all. */
    form: toForm(selectAnswers(answers, IMPORT_CONTROLS.all, null), IMPORT_CONTROLS.all, null),
    places: places.map((said, at) => {
      const id = placeControlId(at);
      const values = selectAnswers(answers, IMPORT_CONTROLS.place, id);
      const venue = known.findVenueByName(values.venue_name ?? '', values.zone || null);
      return {
        id,
        said: said || t(lang, 'batch.place.none'),
        count: rows.filter(({ row }) => row.place === at && row.standing !== 'gone').length,
        /** The place of the agenda that it is; null for a new one. */
        known: (venue && known.getVenue(venue)?.name) ?? null,
        form: toForm(values, IMPORT_CONTROLS.place, id),
      };
    }),
  };
}
