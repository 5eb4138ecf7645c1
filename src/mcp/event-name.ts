// How people and models name an event: by its id, the id of one of its dates, a slug it ever had, or
// an address of its page.
import { LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { SECTION_PATHS } from '../i18n/paths.ts';

/** The path of an address of this site, or of a path alone; null for an address of another. */
function toOwnPath(text: string, site: Site): string | null {
  if (!URL.canParse(text, site.url)) return null;
  const { origin, pathname } = new URL(text, site.url);
  return origin === new URL(site.url).origin ? pathname : null;
}

/**
 * The id or slug in a name; null where it is an address, and none of an event here. An address may
 * be that of any of its forms: page, `.md`, `.ics`, `.png`, its dates.
 */
export function readEventName(name: string, site: Site): string | null {
  const text = name.trim();
  const [event_id] = /^ev_[^-]+(?=-)/.exec(text) ?? [];
  if (event_id !== undefined) return event_id;
  if (!text.includes('/')) return text;
  const path = toOwnPath(text, site);
  const prefixes = [...LANGS.map((lang) => SECTION_PATHS.event[lang]), '/events', '/api/v1/events'];
  const prefix = prefixes.find((each) => path?.startsWith(`${each}/`));
  if (path === null || prefix === undefined) return null;
  const [slug = ''] = path.slice(prefix.length + 1).split('/');
  return slug.replace(/\.(?:md|ics|png)$/, '') || null;
}
