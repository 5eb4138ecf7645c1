// The lines of a VEVENT that are the same for every occurrence of an event, folded and ready to be
// joined.
import type { EventCard } from '../../domain/agenda.ts';
import type { OccurrenceStatus } from '../../domain/event/event.ts';
import { type Fact, listFacts } from '../../domain/event/facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { toPlaceLine } from '../../domain/place-line.ts';
import type { Site } from '../../domain/site.ts';
import { LINE_JOINT, toFactLines } from '../../i18n/fact-lines.ts';
import { toPictureLink } from '../../i18n/picture-link.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { foldLine, toQuoted, toTextValue, toUriValue } from './content-line.ts';

/** What one occurrence adds to the words of its event. */
export interface OccurrenceState {
  readonly status: OccurrenceStatus;
  readonly time_known: boolean;
  readonly end_known: boolean;
  readonly note: string | null;
}

/** The event with its place and people. */
export type EventWords = Omit<EventCard, 'next' | 'more_dates'> & {
  /** Instead of its own page, where it has none yet. */
  readonly page?: string;
};

/**
 * Name, address and locality of the venue; else the note on the place and the zone, the note as it
 * is where there is none; null where nothing is known.
 */
export function toLocation({ venue, zone, event }: EventWords, lang: Lang): string | null {
  const note = event.location_note?.[lang] ?? null;
  if (venue) return toPlaceLine([venue.name, venue.address, venue.locality], venue.zone);
  return zone ? toPlaceLine([note, zone.name[lang]], zone.key) : note;
}

/** Its summary, its facts a line each (addresses last), its page. */
export function toDescription(
  card: EventWords,
  state: OccurrenceState,
  url: string,
  lang: Lang,
): string {
  const { event, venue } = card;
  const facts = listFacts({ ...card, next: null, more_dates: 0 }, 'calendar');
  const toLines = (wanted: readonly Fact[]): string[] =>
    wanted.map(
      ({ name, value }) =>
        `${t(lang, `label.${name}`)}: ${toFactLines(value, lang).join(LINE_JOINT)}`,
    );
  const lines = [
    state.note,
    ...toLines(facts.filter(isPrice)),
    // LOCATION has no room for it beside a venue.
    venue && event.location_note ? event.location_note[lang] : null,
    ...toLines(facts.filter((fact) => !isPrice(fact) && !isAddress(fact))),
    toHourNote(state, lang),
    ...toLines(facts.filter(isAddress)),
  ].filter((line) => line !== null);
  return [event.summary[lang], lines.join('\n'), url].join('\n\n');
}

/** What the hours of the entry do not say by themselves. */
function toHourNote({ time_known, end_known }: OccurrenceState, lang: Lang): string | null {
  if (!time_known) return t(lang, 'ics.time_unknown');
  return end_known ? null : t(lang, 'ics.end_unknown');
}

const isPrice = ({ value }: Fact): boolean => value.kind === 'price' || value.kind === 'visitors';
const isAddress = ({ value }: Fact): boolean => value.kind === 'address';

/** The title, with the status before it: some clients hide STATUS (contract 12.6, 12.7). */
function toSummary(title: string, status: OccurrenceStatus, lang: Lang): string {
  return status === 'scheduled' ? title : t(lang, `ics.status.${status}`, { title });
}

/** SUMMARY to IMAGE as folded lines with CRLF. */
export function toEventLines(
  card: EventWords,
  state: OccurrenceState,
  lang: Lang,
  site: Site,
): string {
  const { event, venue, organizer, category, page } = card;
  const url = page ?? toAbsolute(site.url, toThingPath('event', event.slug, lang));
  const location = toLocation(card, lang);
  const categories = [...(category ? [category.name[lang]] : []), ...event.tags]
    .map(toTextValue)
    .join(',');
  const lines = [
    `SUMMARY:${toTextValue(toSummary(event.title[lang], state.status, lang))}`,
    `DESCRIPTION:${toTextValue(toDescription(card, state, url, lang))}`,
    location === null ? null : `LOCATION:${toTextValue(location)}`,
    !venue || venue.lat === null || venue.lng === null ? null : `GEO:${venue.lat};${venue.lng}`,
    categories === '' ? null : `CATEGORIES:${categories}`,
    organizer &&
      `CONTACT;ALTREP=${toQuoted(toAbsolute(site.url, toThingPath('organizer', organizer.slug, lang)))}:${toTextValue(organizer.name)}`,
    `URL:${toUriValue(url)}`,
    event.image &&
      `IMAGE;VALUE=URI;DISPLAY=BADGE:${toUriValue(toPictureLink(event.image, site).url)}`,
  ];
  return lines
    .filter((line) => line !== null)
    .map(foldLine)
    .join('');
}
