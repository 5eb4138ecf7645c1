// Change texts: formats entries of the change log. In an entry, `thing` is the changed record, null
// if it was withdrawn.
import type { ChangedRecord, ChangeLogEntry } from '../domain/record-history.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import { stripTrailingPeriod } from '../domain/place-text.ts';
import { formatDatesWithNotes, formatWhen } from './format-dates.ts';
import { noticePath, recordPath } from './paths.ts';
import { t } from './translate.ts';

/** Returns the title or name of a changed record. */
export function changedRecordName(thing: ChangedRecord): LocalText {
  switch (thing.kind) {
    case 'event':
      return thing.card.event.title;
    case 'notice':
      return thing.record.title;
    default:
      return byLang(() => thing.record.name);
  }
}

/**
 * Returns the path of the page that shows a changed record: for a notice, the page of all notices.
 */
export function changedRecordPath(thing: ChangedRecord, lang: Lang): string {
  switch (thing.kind) {
    case 'event':
      return recordPath('event', thing.card.event.slug, lang);
    case 'notice':
      return noticePath(thing.record.id, lang);
    default:
      return recordPath(thing.kind, thing.record.slug, lang);
  }
}

/** Most dates of a called-off event that a change names. */
const MAX_COMING_DATES = 3;

/**
 * Formats the detail after a record's name: for an event the dates that the change is about, or all
 * coming ones if the whole event is called off, then its next date with status and note; otherwise
 * the record kind. Days of another year than the change have their year.
 * @returns null if the record was withdrawn.
 */
export function formatChangeDetail(
  { thing, kind, change, at, dates, coming }: ChangeLogEntry,
  lang: Lang,
): string | null {
  if (thing === null) return null;
  if (thing.kind !== 'event') return t(lang, `changes.kind.${kind}`);
  const { next } = thing.card;
  const this_year = toLocalDay(Date.parse(at)).year;
  if (coming.length > 0)
    return formatDatesWithNotes(coming, lang, { this_year, max: MAX_COMING_DATES });
  if (dates.length > 0) {
    const words = formatDatesWithNotes(dates, lang, { this_year });
    return next?.status === 'scheduled' && change !== 'restored'
      ? t(lang, 'changes.next', { dates: words, next: formatWhen(next, lang) })
      : words;
  }
  if (!next) return t(lang, 'changes.no_date');
  const note = next.notes === null ? '' : ` · ${stripTrailingPeriod(next.notes[lang])}`;
  const is_status_redundant = next.status === 'scheduled' || next.status === change;
  const status = is_status_redundant ? '' : ` · ${t(lang, `status.${next.status}`)}`;
  return `${formatWhen(next, lang)}${status}${note}`;
}

/** Formats a change for pages and documents. */
export const formatChange = (change: ChangeLogEntry, lang: Lang) => ({
  kind: change.change,
  word: t(lang, `changes.word.${change.change}`),
  name: formatChangedName(change, lang),
  path: change.thing && changedRecordPath(change.thing, lang),
  detail: formatChangeDetail(change, lang),
});
export type FormattedChange = ReturnType<typeof formatChange>;

/** Returns the record's name, or a generic text if it is withdrawn. */
export const formatChangedName = ({ thing, kind }: ChangeLogEntry, lang: Lang): string =>
  thing === null ? t(lang, `changes.withdrawn.${kind}`) : changedRecordName(thing)[lang];
