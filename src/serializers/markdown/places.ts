// Venues, organizers, categories and zones as Markdown: one by itself with what comes up there, all of them a
// line each, and on the map of the coast.
import type { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../../domain/agenda.ts';
import type { OrganizerRecord } from '../../domain/organizer.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import type { VenueDay } from '../../domain/opening-hours.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toLongDay } from '../../i18n/dates.ts';
import {
  type DirectoryName,
  toAbsolute,
  toDirectoryPath,
  toMarkdownPath,
} from '../../i18n/paths.ts';
import { listOrganizerFacts, listVenueFacts } from '../../i18n/thing-facts.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { type Head, linkCorrection, renderDocument, renderFacts } from './document.ts';
import { renderUpcoming } from './event.ts';
import { inlineCode, link, linkItem, list, paragraph, paragraphs, section } from './nodes.ts';

interface VenueOfDay {
  readonly meta: Head;
  readonly venue: VenueRecord;
  readonly today: VenueDay | null;
  readonly zone: TaxonRecord | null;
  readonly cards: readonly EventCard[];
}

export const renderVenue = ({ meta, venue, today, zone, cards }: VenueOfDay): string =>
  renderDocument(
    meta,
    venue.description && paragraphs(venue.description[meta.lang]),
    renderFacts(listVenueFacts(venue, today, zone, meta.lang)),
    renderUpcoming(cards, meta),
    linkCorrection('venue', venue.id, meta),
  );

interface OrganizerOfDay {
  readonly meta: Head;
  readonly organizer: OrganizerRecord;
  readonly cards: readonly EventCard[];
}

export const renderOrganizer = ({ meta, organizer, cards }: OrganizerOfDay): string =>
  renderDocument(
    meta,
    organizer.description && paragraphs(organizer.description[meta.lang]),
    renderFacts(listOrganizerFacts(organizer, meta.lang)),
    renderUpcoming(cards, meta),
    linkCorrection('organizer', organizer.id, meta),
  );

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
