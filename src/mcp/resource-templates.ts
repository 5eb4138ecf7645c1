// The resources that are named by a slug or a day: events, venues, organizers and days, each at the
// address of its Markdown; what a name may be is completed (contract 13.14).
import type { Temporal } from 'temporal-polyfill';
import {
  floorToMinute,
  fromDayNumber,
  parseDay,
  toCancunDay,
  toDayNumber,
} from '../domain/cancun-time.ts';
import { toAgendaFacts } from '../domain/day/day-facts.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import { fold } from '../domain/folding.ts';
import { LANGS, type Lang } from '../domain/lang.ts';
import { toVenueDay } from '../domain/venue-day.ts';
import { SECTION_PATHS, toAbsolute } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toAgendaMarkdown } from '../serializers/markdown/agenda.ts';
import { toEventMarkdown } from '../serializers/markdown/event.ts';
import { toOrganizerMarkdown } from '../serializers/markdown/organizer.ts';
import { toVenueMarkdown } from '../serializers/markdown/venue.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { getEvent, getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-things.ts';
import { readAgenda } from '../snapshot/agenda.ts';
import type { McpContext } from './context.ts';
import { cacheDocument } from './text/cache.ts';

/** How many names a completion gives at most (MCP, Completion). */
const MAX_VALUES = 100;
/** Days after today that can be read whatever is known of them. */
const DAYS_AHEAD = 92;

interface Template {
  readonly section: 'event' | 'venue' | 'organizer' | 'day';
  /** Its name before the language, as listed. */
  readonly name: string;
  readonly variable: 'slug' | 'date';
  /** The Markdown; null where there is no such thing. */
  readonly read: (name: string, lang: Lang, context: McpContext) => string | null;
  /** Every name there is, the likeliest first. */
  readonly listNames: (lang: Lang, context: McpContext) => readonly string[];
}

const listUpcoming = (
  whose: { readonly venue: string } | { readonly organizer: string },
  lang: Lang,
  { snapshot, now_ms }: McpContext,
) => {
  const filter = { ...toOpenFilter(floorToMinute(now_ms), LIMITS.list.max), ...whose };
  return findEvents(snapshot, filter, lang).cards;
};

function readEvent(slug: string, lang: Lang, { snapshot, site, now_ms }: McpContext) {
  const minute = floorToMinute(now_ms);
  const detail = getEvent(snapshot, slug, minute);
  return detail === null || detail === 'gone' ? null : toEventMarkdown(detail, lang, site, minute);
}

function readVenue(slug: string, lang: Lang, context: McpContext): string | null {
  const { snapshot, site, now_ms } = context;
  const venue = getVenue(snapshot, slug);
  if (venue === null) return null;
  const today = toVenueDay(venue, toCancunDay(now_ms), snapshot.calendar.holidays);
  const cards = listUpcoming({ venue: venue.id }, lang, context);
  return toVenueMarkdown(venue, today, cards, snapshot.taxonomy, lang, site);
}

function readOrganizer(slug: string, lang: Lang, context: McpContext): string | null {
  const organizer = getOrganizer(context.snapshot, slug);
  if (organizer === null) return null;
  const cards = listUpcoming({ organizer: organizer.id }, lang, context);
  return toOrganizerMarkdown(organizer, cards, lang, context.site);
}

/** The days that can be read: those of dates that are known, and a season ahead. */
function toSpan({ snapshot, now_ms }: McpContext): {
  readonly first: number;
  readonly last: number;
} {
  const today = toDayNumber(toCancunDay(now_ms));
  const { first, last } = snapshot.index.span ?? { first: today, last: today };
  return { first: Math.min(first, today), last: Math.max(last, today + DAYS_AHEAD) };
}

function isReadable(day: Temporal.PlainDate, context: McpContext): boolean {
  const { first, last } = toSpan(context);
  return toDayNumber(day) >= first && toDayNumber(day) <= last;
}

function readDay(name: string, lang: Lang, context: McpContext): string | null {
  const { snapshot, site, now_ms } = context;
  const day = parseDay(name);
  if (day === null || !isReadable(day, context)) return null;
  const minute = floorToMinute(now_ms);
  return cacheDocument(snapshot, `day ${name} ${lang} ${site.url} ${minute}`, () =>
    toAgendaMarkdown(
      readAgenda(snapshot, { from: day, to: day }, minute, lang),
      lang,
      site,
      'day',
      snapshot.taxonomy.zones,
      [],
      toAgendaFacts('day', day, snapshot.calendar),
      undefined,
      day.equals(toCancunDay(minute)) ? minute : null,
    ),
  );
}

/** From today on. */
function listDays(_lang: Lang, context: McpContext): readonly string[] {
  const today = toDayNumber(toCancunDay(context.now_ms));
  const { last } = toSpan(context);
  return Array.from({ length: last - today + 1 }, (_, at) => fromDayNumber(today + at).toString());
}

const TEMPLATES: readonly Template[] = [
  {
    section: 'event',
    name: 'evento',
    variable: 'slug',
    read: readEvent,
    listNames: (lang, { snapshot, now_ms }) =>
      listUpcomingEvents(snapshot, now_ms).map(({ slug }) => slug[lang]),
  },
  {
    section: 'venue',
    name: 'lugar',
    variable: 'slug',
    read: readVenue,
    listNames: (lang, { snapshot }) => listVenues(snapshot).map(({ slug }) => slug[lang]),
  },
  {
    section: 'organizer',
    name: 'organizador',
    variable: 'slug',
    read: readOrganizer,
    listNames: (lang, { snapshot }) => listOrganizers(snapshot).map(({ slug }) => slug[lang]),
  },
  { section: 'day', name: 'dia', variable: 'date', read: readDay, listNames: listDays },
];

const toPrefix = ({ section }: Template, site_url: string, lang: Lang): string =>
  `${toAbsolute(site_url, SECTION_PATHS[section][lang])}/`;

const toUriTemplate = (template: Template, site_url: string, lang: Lang): string =>
  `${toPrefix(template, site_url, lang)}{${template.variable}}.md`;

/** What `resources/templates/list` gives, each kind in each language. */
export const listTemplates = ({ site }: McpContext, mimeType: string) =>
  TEMPLATES.flatMap((template) =>
    LANGS.map((lang) => ({
      uriTemplate: toUriTemplate(template, site.url, lang),
      name: `${template.name}-${lang}`,
      mimeType,
      title: t(lang, `mcp.resource.${template.section}.title`),
      description: t(lang, `mcp.resource.${template.section}.description`),
    })),
  );

/** The Markdown at an address of a template, with its language; null where nothing is there. */
export function readTemplate(
  uri: string,
  context: McpContext,
): { readonly text: string; readonly lang: Lang } | null {
  for (const template of TEMPLATES)
    for (const lang of LANGS) {
      const prefix = toPrefix(template, context.site.url, lang);
      const name = uri.startsWith(prefix)
        ? /^([\w%-]{1,200})\.md$/.exec(uri.slice(prefix.length))?.[1]
        : undefined;
      const text = name === undefined ? null : template.read(name, lang, context);
      if (text !== null) return { text, lang };
    }
  return null;
}

/** The names that contain what was typed, those that begin with it first; null for no template. */
export function completeName(
  uri_template: string,
  typed: string,
  context: McpContext,
): { readonly values: string[]; readonly total: number; readonly hasMore: boolean } | null {
  for (const template of TEMPLATES)
    for (const lang of LANGS) {
      if (toUriTemplate(template, context.site.url, lang) !== uri_template) continue;
      const wanted = fold(typed.slice(0, MAX_VALUES)).replaceAll(' ', '-');
      const found = template.listNames(lang, context).filter((name) => name.includes(wanted));
      const sorted = [
        ...found.filter((name) => name.startsWith(wanted)),
        ...found.filter((name) => !name.startsWith(wanted)),
      ];
      const values = sorted.slice(0, MAX_VALUES);
      return { values, total: sorted.length, hasMore: sorted.length > values.length };
    }
  return null;
}
