// How people and models name an event or a place: by its id, a slug it ever had, an address of its page;
// an event by the id of one of its dates too, a place by what it is called (contract 13.12).
import { toKnown } from '../desk/known.ts';
import { LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { SECTION_PATHS } from '../i18n/paths.ts';
import { getVenue } from '../snapshot/get-thing.ts';
import type { McpContext } from './context.ts';

/** The path of an address of this site, or of a path alone; null for an address of another. */
function toOwnPath(text: string, site: Site): string | null {
  if (!URL.canParse(text, site.url)) return null;
  const { origin, pathname } = new URL(text, site.url);
  return origin === new URL(site.url).origin ? pathname : null;
}

/**
 * The id or slug in a name; null where it is an address, and none of such a thing here. An address may
 * be that of any of its forms: page, `.md`, `.ics`, `.png`, its dates.
 */
export function readThingName(kind: 'event' | 'venue', name: string, site: Site): string | null {
  const text = name.trim();
  const [event_id] = /^ev_[^-]+(?=-)/.exec(text) ?? [];
  if (event_id !== undefined) return event_id;
  if (!text.includes('/')) return text;
  const path = toOwnPath(text, site);
  const prefixes = [
    ...LANGS.map((lang) => SECTION_PATHS[kind][lang]),
    ...[`/${kind}s`, `/api/v1/${kind}s`],
  ];
  const prefix = prefixes.find((each) => path?.startsWith(`${each}/`));
  if (path === null || prefix === undefined) return null;
  const [slug = ''] = path.slice(prefix.length + 1).split('/');
  return slug.replace(/\.(?:md|ics|png)$/, '') || null;
}

/** The place that a name stands for, in Spanish or English; null where none is meant, or several. */
export function findNamedPlace(
  name: string,
  { snapshot, site }: Pick<McpContext, 'snapshot' | 'site'>,
): VenueRecord | null {
  const { findVenue, findVenueByName } = toKnown(snapshot);
  const read = readThingName('venue', name, site);
  const id = read && (findVenue(read) ?? findVenueByName(read, null));
  return id ? getVenue(snapshot, id) : null;
}
