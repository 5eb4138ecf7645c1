// A calendar that was read, for somebody to choose from: its events, what is asked once for all and for each
// place, and of which events something is asked by itself (contract 14.34).
import type { ChosenRow } from '../../desk/batches.ts';
import { toKnown } from '../../desk/known.ts';
import {
  ASKED,
  BATCH_STANDINGS,
  type BatchAnswers,
  type BatchDraft,
  isPickable,
  isPicked,
  pickAnswers,
  readBatchRow,
  type StoredBatch,
  toPlaceId,
  toRowControl,
} from '../../domain/batch.ts';
import type { FormField } from '../../domain/submission/fields.ts';
import type { FormValues } from '../../domain/submission/form.ts';
import type { Lang } from '../../domain/lang.ts';
import { findLikelyPlace } from '../../domain/submission/likeness.ts';
import { toFeedWhen, toLabel } from '../../i18n/form-words.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { listVenues } from '../../snapshot/list-things.ts';
import type { PageMeta } from '../page.ts';
import type { SiteState } from '../state.ts';
import { type FormState, listChoices, toSentence } from './read-form.ts';

/** An event in a list of which some are ticked, here and at the desk. */
export interface PickRow {
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
export const toExcerpt = (text: string): string =>
  text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT).replace(/\s+\S*$/, '')}…`;

/** Whether the controls of a row stand open: they were sent, or it was asked for. */
export const isOpen = (fields: BatchAnswers, id: string): boolean =>
  fields.open === id || fields.open === 'all' || fields[toRowControl('category', id)] !== undefined;

/** Under what a place is kept for the next time: its number may be another's then. */
const toKeptName = (said: string, name: string): string => `${name} of ${said}`;

/** What stands in the controls before anybody has chosen. */
export function suggestAnswers(
  { snapshot }: SiteState,
  { choices }: StoredBatch,
  { rows, places }: BatchDraft,
): BatchAnswers {
  const venues = listVenues(snapshot);
  const of_places = places.flatMap((said, at) => {
    const { name, address, zone } = findLikelyPlace(said, venues, snapshot.taxonomy.zones);
    const likely = { venue_name: name, venue_address: address, zone };
    return ASKED.place.map((field) => [
      toRowControl(field, toPlaceId(at)),
      choices[toKeptName(said, field)] ?? likely[field],
    ]);
  });
  const pick = rows.flatMap((row, at) => (isPicked(row) ? [at] : [])).join(',');
  return { ...pickAnswers(choices, ASKED.all, null), ...Object.fromEntries(of_places), pick };
}

/** What of the answers is of use the next time; what is private is kept with the events alone. */
export const keepAnswers = ({ places }: BatchDraft, answers: BatchAnswers): BatchAnswers => {
  const { contact_email: _, ...of_all } = pickAnswers(answers, ASKED.all, null);
  const of_places = places.flatMap((said, at) =>
    Object.entries(pickAnswers(answers, ASKED.place, toPlaceId(at))).map(([name, answer]) => [
      toKeptName(said, name),
      answer,
    ]),
  );
  return { ...of_all, ...Object.fromEntries(of_places) };
};

/** The events of a draft with what is answered for each; of those that are ticked which are complete. */
export function readRows(
  { snapshot, now_ms }: SiteState,
  { lang }: StoredBatch,
  draft: BatchDraft,
  answers: BatchAnswers,
) {
  const known = toKnown(snapshot);
  const picked = new Set((answers.pick ?? '').split(','));
  const rows = draft.rows.map((row, at) => {
    const id = String(at);
    const is_pickable = isPickable(row);
    const is_read = is_pickable && !row.event.is_cancelled;
    const reading = is_read ? readBatchRow(row, id, answers, lang, known, now_ms) : null;
    return { id, row, is_pickable, is_picked: is_pickable && picked.has(id), reading };
  });
  const ticked = rows.filter(({ is_picked }) => is_picked);
  const ready = ticked.flatMap(({ row, reading }): ChosenRow[] => {
    const submission = reading?.submission ?? null;
    return reading === null || submission !== null ? [{ row, submission }] : [];
  });
  return { rows, ready, incomplete: ticked.length - ready.length };
}

/** A calendar of which somebody chooses, and the page for that. */
interface Choosing {
  readonly state: SiteState;
  readonly batch: StoredBatch;
  readonly meta: PageMeta;
  readonly path: string;
}

export type ChoosePage = ReturnType<typeof toChoosePage>;

/** `is_sent`: what is wrong with those that are ticked is said. */
export function toChoosePage(
  { state, batch, meta, path }: Choosing,
  { places, over, failures }: BatchDraft,
  answers: BatchAnswers,
  { rows, ready, incomplete }: ReturnType<typeof readRows>,
  notice: string | null,
  is_sent: boolean,
) {
  const { lang, site } = meta;
  const { snapshot } = state;
  const known = toKnown(snapshot);
  const choices = listChoices(snapshot, lang);
  const issues = new Map(
    rows
      .flatMap(({ is_picked, reading }) => (is_sent && is_picked ? (reading?.issues ?? []) : []))
      .map(({ control, issue }) => [
        control,
        issue === null ? t(lang, 'batch.ask.price') : toSentence(issue, lang),
      ]),
  );
  const toForm = (values: FormValues, names: readonly FormField[], of: string | null) => ({
    values,
    issues: new Map(
      names.flatMap((name) => {
        const sentence = issues.get(toRowControl(name, of));
        return sentence === undefined ? [] : [[name, sentence] as const];
      }),
    ),
    takes_files: false,
    sends_mail: site.sends_mail === true,
    choices,
  });
  const shown = rows.map(({ id, row, is_picked, is_pickable, reading }): PickRow => {
    const { event, standing, like } = row;
    const own = reading?.issues.filter(({ control, name }) => control === toRowControl(name, id));
    const faults = is_sent && is_picked ? (own ?? []) : [];
    const is_asked = faults.some(({ name }) => ASKED.row.some((one) => one === name));
    return {
      id,
      title: event.title,
      is_picked,
      is_pickable,
      facts: [
        t(lang, `batch.standing.${standing === 'cancelled' && is_pickable ? 'cancel' : standing}`),
        toFeedWhen(event, lang),
        event.location,
      ].filter(Boolean),
      links: (like ? [like] : []).map(({ id, title }) => ({
        label: `${t(lang, 'batch.like')} ${title}`,
        path: toThingPath('event', { es: id, en: id }, lang),
      })),
      text: toExcerpt(event.description),
      warnings: [
        ...(standing === 'known' ? [t(lang, `batch.like.${like ? 'other' : 'waiting'}`)] : []),
        ...(standing === 'gone' ? [t(lang, 'batch.like.gone')] : []),
        ...event.doubts.map(({ rule, text }) => t(lang, `batch.doubt.${rule}`, { text })),
      ],
      faults: faults.map(
        ({ name, control }) => `${toLabel(name, lang)}: ${issues.get(control) ?? ''}`,
      ),
      can_open: reading !== null,
      form:
        reading && (is_asked || isOpen(answers, id)) ? toForm(reading.values, ASKED.row, id) : null,
    };
  });
  const standings = [
    ...BATCH_STANDINGS.map((standing) => {
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
    counts: standings.flatMap(([key, count]) => (count > 0 ? [tCount(lang, key, count)] : [])),
    /** How many could be sent without the others; 0 where that is not the question. */
    ready: is_sent && incomplete > 0 ? ready.length : 0,
    /** What is asked once for all. */
    form: toForm(pickAnswers(answers, ASKED.all, null), ASKED.all, null),
    places: places.map((said, at) => {
      const id = toPlaceId(at);
      const values = pickAnswers(answers, ASKED.place, id);
      const venue = known.findVenueByName(values.venue_name ?? '', values.zone || null);
      return {
        id,
        said: said || t(lang, 'batch.place.none'),
        count: rows.filter(({ row }) => row.place === at && row.standing !== 'gone').length,
        /** The place of the agenda that it is; null for a new one. */
        known: (venue && known.getVenue(venue)?.name) ?? null,
        form: toForm(values, ASKED.place, id),
      };
    }),
  };
}
