// A calendar that was read, for somebody to choose from: a table of its events, each place once, what
// is missing once for all; and what is wrong with what was chosen (contract 14.34).
import { findLikelyPlace } from '../../domain/submission/likeness.ts';
import { toFeedWhen } from '../../i18n/form-words.ts';
import {
  type BatchDraft,
  type BatchRow,
  isPickable,
  isPicked,
  type StoredBatch,
  type BatchChoices,
  COMMON_CONTROLS,
  listPicked,
  PICK_CONTROL,
  PLACE_CONTROLS,
  type PlaceControl,
  readBatchRow,
  toCategoryControl,
  toPlaceControl,
} from '../../domain/batch.ts';
import { fold } from '../../domain/folding.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import { pickFormValues } from '../../domain/submission/controls.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { findTaxon } from '../../domain/taxon.ts';
import { toKnown } from '../../desk/known.ts';
import { t } from '../../i18n/translate.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { listVenues } from '../../snapshot/list-things.ts';
import type { PageMeta } from '../page.ts';
import type { SiteState } from '../state.ts';
import { type FormState, listChoices, toSentence } from './read-form.ts';

export type ChoosePage = ReturnType<typeof toChoosePage>;

/** What stands in the controls before anybody has chosen. */
export function suggestChoices(
  { snapshot }: SiteState,
  batch: StoredBatch,
  draft: BatchDraft,
): BatchChoices {
  const { categories, zones } = snapshot.taxonomy;
  const venues = listVenues(snapshot);
  const places = draft.places.flatMap((said, at) => {
    const likely = findLikelyPlace(said, venues, zones);
    return PLACE_CONTROLS.map((name) => [
      toPlaceControl(at, name),
      batch.choices[toKeptName(said, name)] ?? likely[name],
    ]);
  });
  const of_rows = draft.rows.map(({ event }, at) => {
    const found = event.categories
      .map((word) => findTaxon(categories, word) ?? findByWord(categories, word))
      .find((taxon) => taxon !== null);
    return [toCategoryControl(at), found?.key ?? ''];
  });
  const picked = draft.rows.flatMap((row, at) => (isPicked(row) ? [String(at)] : []));
  const common = COMMON_CONTROLS.map((name) => [name, batch.choices[name] ?? '']);
  return Object.fromEntries([...common, ...places, ...of_rows, [PICK_CONTROL, picked.join(',')]]);
}

const findByWord = <T extends { readonly name: Readonly<Record<Lang, string>> }>(
  taxa: readonly T[],
  word: string,
): T | null =>
  taxa.find(({ name }) => LANGS.some((lang) => fold(name[lang]) === fold(word))) ?? null;

/** Under what a place is kept for the next time: its number may be another's then. */
const toKeptName = (said: string, name: PlaceControl): string => `${name} of ${said}`;

/** What of the choices is of use the next time; what is private is kept with the events alone. */
export const keepChoices = (draft: BatchDraft, choices: BatchChoices): BatchChoices =>
  Object.fromEntries([
    ...COMMON_CONTROLS.filter((name) => name !== 'contact_email').map((name) => [
      name,
      choices[name] ?? '',
    ]),
    ...draft.places.flatMap((said, at) =>
      PLACE_CONTROLS.map((name) => [
        toKeptName(said, name),
        choices[toPlaceControl(at, name)] ?? '',
      ]),
    ),
  ]);

/** A calendar of which somebody chooses, and the page for that. */
interface Choosing {
  readonly state: SiteState;
  readonly batch: StoredBatch;
  readonly meta: PageMeta;
  readonly path: string;
}

/** What was chosen, understood. */
export interface ChosenRows {
  readonly ready: readonly { readonly row: BatchRow; readonly submission: Submission | null }[];
  readonly incomplete: number;
  /** By control, and by the number of an event. */
  readonly issues: ReadonlyMap<string, string>;
  readonly row_issues: ReadonlyMap<number, readonly string[]>;
}

/** Reads the events that are ticked. */
export function readChosen(
  { snapshot, now_ms }: SiteState,
  batch: StoredBatch,
  draft: BatchDraft,
  choices: BatchChoices,
  lang: Lang,
): ChosenRows {
  const known = toKnown(snapshot);
  const picked = listPicked(choices);
  const [issues, row_issues] = [new Map<string, string>(), new Map<number, string[]>()];
  const ready: { row: BatchRow; submission: Submission | null }[] = [];
  let incomplete = 0;
  for (const [at, row] of draft.rows.entries()) {
    if (!picked.has(at) || !isPickable(row)) continue;
    if (row.event.is_cancelled) {
      ready.push({ row, submission: null });
      continue;
    }
    const read = readBatchRow(row, at, choices, batch.lang, known, now_ms);
    if (read.submission !== null) ready.push({ row, submission: read.submission });
    else incomplete += 1;
    for (const { control, issue } of read.issues) {
      const sentence = toSentence(issue, lang);
      if (control === PICK_CONTROL)
        row_issues.set(at, [...(row_issues.get(at) ?? []), `${issue.field}: ${sentence}`]);
      else if (!issues.has(control)) issues.set(control, sentence);
    }
  }
  return { ready, incomplete, issues, row_issues };
}

/** The page with what stands in its controls, and what is wrong with what was chosen. */
export function toChoosePage(
  { state, batch, meta, path }: Choosing,
  draft: BatchDraft,
  choices: BatchChoices,
  notice: string | null,
  chosen: ChosenRows | null = null,
) {
  const { lang, site } = meta;
  const { snapshot } = state;
  const known = toKnown(snapshot);
  const { category = [], zone = [] } = listChoices(snapshot, lang);
  const picked = listPicked(choices);
  /** The sentences of those of some controls where something is wrong. */
  const pickIssues = <N extends string>(names: readonly N[], toControl: (name: N) => string) =>
    new Map(
      names.flatMap((name) => {
        const sentence = chosen?.issues.get(toControl(name));
        return sentence === undefined ? [] : [[name, sentence] as const];
      }),
    );
  /** What is asked once for all. */
  const form: FormState = {
    values: pickFormValues(choices),
    issues: pickIssues(COMMON_CONTROLS, (name) => name),
    takes_files: false,
    sends_mail: site.sends_mail === true,
    choices: { category },
  };
  return {
    meta,
    path,
    batch,
    notice,
    over: draft.over,
    failures: draft.failures,
    zones: zone,
    venues: listVenues(snapshot).map(({ name }) => name),
    /** How many could be sent without the others; 0 where that is not the question. */
    ready: chosen !== null && chosen.incomplete > 0 ? chosen.ready.length : 0,
    form,
    rows: draft.rows.map((row, at) => ({
      at,
      row,
      /** What it is to us, in words. */
      standing: t(
        lang,
        row.standing === 'cancelled' && isPickable(row)
          ? 'batch.standing.cancel'
          : `batch.standing.${row.standing}`,
      ),
      when: toFeedWhen(row.event, lang),
      like: row.like && {
        title: row.like.title,
        path: toThingPath('event', { es: row.like.id, en: row.like.id }, lang),
      },
      doubts: row.event.doubts.map(({ rule, text }) => t(lang, `batch.doubt.${rule}`, { text })),
      /** Sentences about what it lacks. */
      issues: chosen?.row_issues.get(at) ?? [],
      is_pickable: isPickable(row),
      is_picked: picked.has(at) && isPickable(row),
      category: choices[toCategoryControl(at)] ?? '',
    })),
    places: draft.places.map((said, at) => {
      const valueIn = (name: PlaceControl): string => choices[toPlaceControl(at, name)] ?? '';
      const venue = known.findVenueByName(valueIn('name'), valueIn('zone') || null);
      return {
        at,
        said,
        count: draft.rows.filter(({ place }) => place === at).length,
        values: { name: valueIn('name'), address: valueIn('address'), zone: valueIn('zone') },
        /** The place of the agenda that it is; null for a new one. */
        known: (venue && known.getVenue(venue)?.name) ?? null,
        issues: pickIssues(PLACE_CONTROLS, (name) => toPlaceControl(at, name)),
      };
    }),
  };
}
