// The facts of an event as Markdown list items, the same in lists and on its own page.
import type { Paragraph, PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import type { OccurrenceStatus } from '../../domain/event/event.ts';
import { fromDayNumber } from '../../domain/cancun-time.ts';
import {
  type FactValue,
  findSavedDay,
  listFacts,
  type PlaceValue,
} from '../../domain/event/facts.ts';
import type { Lang } from '../../domain/lang.ts';
import { withoutStop } from '../../domain/place-line.ts';
import type { Site } from '../../domain/site.ts';
import { LINE_JOINT, toFactLines } from '../../i18n/fact-lines.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toAbsolute, toDateIcsPath, toThingIcsPath, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { labelled, link, paragraph, plain, text } from './nodes.ts';

/** `Cancelado`, `Pospuesto`; null where it takes place. */
export function toStatusWord(status: OccurrenceStatus, lang: Lang): string | null {
  return status === 'scheduled' ? null : t(lang, `status.${status}`);
}

/** What stands above a text that is in a language `written`, not the reader's; nothing where it is in theirs. */
export const toOriginalParagraphs = (written: Lang | undefined, lang: Lang): Paragraph[] =>
  written === undefined ? [] : [paragraph(plain(`${t(lang, `original.${written}`)}:`))];

/** How the facts are written; `surface`: an entry of a list, or all of a document or an answer. */
export interface FactStyle {
  readonly surface: 'entry' | 'document' | 'answer';
  readonly when: string | null;
  readonly lang: Lang;
  readonly site: Site;
}

/** Venue, zone and what an editor adds; in a document with the address and directions. */
function toPlace(
  { venue, street, zone, note }: PlaceValue,
  { surface, lang, site }: FactStyle,
): PhrasingContent[] {
  const is_full = surface !== 'entry';
  const directions = venue && surface === 'document' ? toDirectionsUrl(venue) : null;
  const parts = [
    venue && link(toAbsolute(site.url, toThingPath('venue', venue.slug, lang)), venue.name),
    is_full && street ? plain(street) : null,
    zone && plain(zone.name[lang]),
    note && plain(withoutStop(note[lang])),
    directions === null ? null : link(directions, t(lang, 'label.directions')),
  ].filter((part) => part !== null);
  return parts.flatMap((part, at) => (at === 0 ? [part] : [text(' · '), part]));
}

/** The next date to be saved, and where there are more, all of them to be followed. */
function toCalendarLinks(
  { card, is_followed }: Extract<FactValue, { readonly kind: 'calendar' }>,
  { lang, site }: FactStyle,
): PhrasingContent[] {
  const { event } = card;
  const day = findSavedDay(card);
  const save = day === null ? null : toDateIcsPath(event.id, fromDayNumber(day).toString(), lang);
  const links = [
    save === null ? null : link(toAbsolute(site.url, save), t(lang, 'label.calendar_save')),
    is_followed
      ? link(
          toAbsolute(site.url, toThingIcsPath('event', event.slug, lang)),
          t(lang, 'label.calendar_follow'),
        )
      : null,
  ].filter((part) => part !== null);
  return links.flatMap((part, at) => (at === 0 ? [part] : [text(' · '), part]));
}

function toContent(value: FactValue, style: FactStyle): PhrasingContent[] {
  const { lang, site, when } = style;
  switch (value.kind) {
    case 'place':
      return toPlace(value, style);
    case 'time':
      return [plain(when ?? '')];
    case 'organizer': {
      const { slug, name, verified } = value.organizer;
      const page = link(toAbsolute(site.url, toThingPath('organizer', slug, lang)), name);
      return verified ? [page, text(` (${t(lang, 'label.verified')})`)] : [page];
    }
    case 'address':
      return [link(value.url, value.url)];
    case 'calendar':
      return toCalendarLinks(value, style);
    default:
      return [plain(toFactLines(value, lang).join(LINE_JOINT))];
  }
}

/** The facts of an event, as far as known, each `**Label:** value`. */
export const toFactItems = (card: EventCard, style: FactStyle): PhrasingContent[][] =>
  listFacts(card, style.surface).map(({ name, value }) =>
    labelled(t(style.lang, `label.${name}`), ...toContent(value, style)),
  );
