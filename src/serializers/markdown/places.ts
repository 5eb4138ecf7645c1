// Venues, organizers, categories and zones as Markdown: one by itself with what comes up there, all of them a
// line each, and on the map of the coast.
import type { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../../domain/agenda.ts';
import type { OrganizerRecord } from '../../domain/organizer.ts';
import { toAddressLine } from '../../domain/place-names.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import type { VenueDay } from '../../domain/opening-hours.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toSourceDays } from '../../i18n/fact-words.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toPricedLines, toTodayWords, toWeekLines } from '../../i18n/opening.ts';
import {
  type DirectoryName,
  toAbsolute,
  toDirectoryPath,
  toMarkdownPath,
} from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { type Head, linkCorrection, renderDocument } from './document.ts';
import { renderUpcoming } from './event.ts';
import {
  inlineCode,
  joined,
  labelled,
  link,
  linkItem,
  list,
  paragraph,
  paragraphs,
  section,
} from './nodes.ts';

interface VenueOfDay {
  readonly meta: Head;
  readonly venue: VenueRecord;
  /** Its hours on the day of the document. */
  readonly today: VenueDay | null;
  readonly zone: TaxonRecord | null;
  readonly cards: readonly EventCard[];
}

export function renderVenue({ meta, venue, today, zone, cards }: VenueOfDay): string {
  const { lang, site } = meta;
  const { hours, website, phone, social, capacity, accessibility } = venue;
  const directions = toDirectionsUrl(venue);
  const opening =
    hours && today ? [toTodayWords(today, lang), ...toWeekLines(hours, today, lang)] : [];
  const address = joined([
    toAddressLine(venue),
    directions === null ? null : link(directions, t(lang, 'label.directions')),
  ]);
  return renderDocument(
    meta,
    venue.description && paragraphs(venue.description[lang]),
    list([
      ...opening.map((line) => labelled(t(lang, 'label.hours'), line)),
      ...toPricedLines(venue, lang).map((line) => labelled(t(lang, 'label.admission'), line)),
      labelled(t(lang, 'label.address'), address),
      zone && labelled(t(lang, 'places.zone'), zone.name[lang]),
      website && labelled(t(lang, 'label.website'), link(website)),
      phone && labelled(t(lang, 'label.phone'), phone),
      ...social.map((url) => labelled(t(lang, 'label.social'), link(url))),
      capacity === null ? null : labelled(t(lang, 'label.capacity'), String(capacity)),
      accessibility && labelled(t(lang, 'label.accessibility'), accessibility[lang]),
      labelled(t(lang, 'label.checked'), toSourceDays(venue, lang)),
    ]),
    renderUpcoming(cards, meta),
    linkCorrection('venue', venue.id, lang, site),
  );
}

interface OrganizerOfDay {
  readonly meta: Head;
  readonly organizer: OrganizerRecord;
  readonly cards: readonly EventCard[];
}

export function renderOrganizer({ meta, organizer, cards }: OrganizerOfDay): string {
  const { lang, site } = meta;
  const { description, verified, website, social } = organizer;
  const type = t(lang, `organizer.type.${organizer.type}`);
  return renderDocument(
    meta,
    description && paragraphs(description[lang]),
    list([
      labelled(t(lang, 'label.type'), verified ? `${type} (${t(lang, 'label.verified')})` : type),
      website && labelled(t(lang, 'label.website'), link(website)),
      ...social.map((url) => labelled(t(lang, 'label.social'), link(url))),
      labelled(t(lang, 'label.checked'), toSourceDays(organizer, lang)),
    ]),
    renderUpcoming(cards, meta),
    linkCorrection('organizer', organizer.id, lang, site),
  );
}

interface ListedTaxon {
  readonly meta: Head & { readonly calendar: string | null };
  readonly taxon: TaxonRecord;
  readonly cards: readonly EventCard[];
  readonly more_path: string | null;
}

export function renderTaxon({ meta, taxon, cards, more_path }: ListedTaxon): string {
  const { lang, site, calendar } = meta;
  const linkTo = (path: string, label: string) =>
    paragraph(link(toAbsolute(site.url, path), label));
  return renderDocument(
    meta,
    taxon.description?.[lang],
    calendar && linkTo(calendar, t(lang, 'footer.calendar')),
    renderUpcoming(cards, meta),
    more_path && linkTo(more_path, t(lang, 'places.more')),
  );
}

/** A place, an organizer, a category or a zone as a list says it. */
export interface ListedThing {
  readonly name: string;
  readonly path: string;
  readonly facts: readonly string[];
  /** Events that are still to end. */
  readonly count: number;
}

export const toThingItem = (
  { name, path, facts, count }: ListedThing,
  { lang, site }: Pick<Head, 'lang' | 'site'>,
) => linkItem(toAbsolute(site.url, path), name, ...facts, tCount(lang, 'events.count', count));

interface ListedThings {
  readonly meta: Head;
  readonly section: DirectoryName;
  readonly things: readonly ListedThing[];
  readonly total: number;
  readonly remarks: readonly string[];
  /** The query of the next page; null at the end. */
  readonly next: string | null;
}

/** How a list is narrowed; null where it is not. */
const CHOICES: Readonly<Record<DirectoryName, string | null>> = {
  venue: '?q=…&zone=…&near=21.16,-86.82&radius_km=2',
  organizer: '?q=…',
  category: null,
  zone: null,
};

export function renderDirectory(page: ListedThings): string {
  const { meta, section: name, things, total, remarks, next } = page;
  const { lang, site } = meta;
  const choice = CHOICES[name];
  const own = toAbsolute(site.url, toMarkdownPath(toDirectoryPath(name, lang)));
  return renderDocument(
    { ...meta, about: t(lang, `directory.description.${name}`) },
    remarks,
    paragraph(
      tCount(lang, 'directory.count', total),
      choice && [` ${t(lang, 'md.choose')} `, inlineCode(choice)],
    ),
    list(things.map((thing) => toThingItem(thing, meta))),
    next && paragraph(link(own + next, t(lang, 'directory.next'))),
  );
}

interface MappedZones {
  readonly meta: Head;
  readonly day: Temporal.PlainDate;
  readonly zones: readonly {
    readonly name: string;
    readonly count: number | null;
    readonly path: string;
  }[];
  readonly total: number;
}

/** Every zone with its events of today and the way to them. */
export function renderMap({ meta, day, zones, total }: MappedZones): string {
  const { lang, site } = meta;
  const about = t(lang, 'md.about_map', {
    events: tCount(lang, 'events.count', total),
    day: toLongDay(day, lang),
  });
  const items = zones.map(({ name, count, path }) => {
    const events = count === 0 ? t(lang, 'map.none') : tCount(lang, 'events.count', count ?? 0);
    return linkItem(toAbsolute(site.url, path), name, events);
  });
  return renderDocument(
    { ...meta, about, terms: 'md.terms' },
    section(t(lang, 'map.zones'), list(items), t(lang, 'map.several')),
  );
}
