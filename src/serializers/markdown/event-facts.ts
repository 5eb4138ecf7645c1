// The facts of an event as Markdown list items, the same in lists and on its own page.
import type { PhrasingContent } from 'mdast';
import type { EventCard } from '../../domain/agenda.ts';
import type { EventStatus, OccurrenceStatus } from '../../domain/event/event.ts';
import type { Lang } from '../../domain/lang.ts';
import { toStreetLine } from '../../domain/place-line.ts';
import type { Site } from '../../domain/site.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { toPriceText } from '../../i18n/price.ts';
import { t } from '../../i18n/translate.ts';
import { labelled, link, plain, text } from './nodes.ts';

/** `Cancelado`, `Pospuesto`; null where it takes place. */
export function toStatusWord(status: EventStatus | OccurrenceStatus, lang: Lang): string | null {
  return status === 'published' || status === 'scheduled' ? null : t(lang, `status.${status}`);
}

/**
 * Venue, zone and what an editor adds; with the address and directions where `full`. Null where
 * nothing is known.
 */
export function toWhere(
  card: EventCard,
  lang: Lang,
  site: Site,
  full: boolean,
): PhrasingContent[] | null {
  const { venue, zone, event } = card;
  const parts: PhrasingContent[][] = [];
  if (venue)
    parts.push([link(toAbsolute(site.url, toThingPath('venue', venue.slug, lang)), venue.name)]);
  const street = venue && full ? toStreetLine(venue, zone) : '';
  if (street !== '') parts.push([plain(street)]);
  if (zone) parts.push([plain(zone.name[lang])]);
  if (event.location_note) parts.push([plain(event.location_note[lang])]);
  const directions = venue && full ? toDirectionsUrl(venue) : null;
  if (directions) parts.push([link(directions, t(lang, 'label.directions'))]);
  return parts.length === 0
    ? null
    : parts.flatMap((part, at) => (at === 0 ? part : [text(' · '), ...part]));
}

/** Status, when, where, price and what to confirm, as far as known. `when` is in words. */
export function toCoreFacts(
  card: EventCard,
  when: string | null,
  lang: Lang,
  site: Site,
  full: boolean,
): PhrasingContent[][] {
  const { event } = card;
  // The event's word wins; of a published one the date shown may still be off.
  const status =
    toStatusWord(event.status, lang) ?? toStatusWord(card.next?.status ?? 'scheduled', lang);
  const where = toWhere(card, lang, site, full);
  const facts: (PhrasingContent[] | null)[] = [
    status === null ? null : labelled(t(lang, 'label.status'), plain(status)),
    when === null ? null : labelled(t(lang, 'label.when'), plain(when)),
    where && labelled(t(lang, 'label.where'), ...where),
    labelled(t(lang, 'label.price'), plain(toPriceText(event.price, lang))),
    event.confirm_note && labelled(t(lang, 'label.confirm'), plain(event.confirm_note[lang])),
  ];
  return facts.filter((fact) => fact !== null);
}
