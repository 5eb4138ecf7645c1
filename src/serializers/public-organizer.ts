// An organizer in its wire form (interface 2, Organizer).
import type { EventCard } from '../domain/agenda.ts';
import { type Lang, pick } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { Site } from '../domain/site.ts';
import { toAbsolute, toThingPath } from '../i18n/paths.ts';
import { toPublicEvent } from './public-event.ts';
import type { PublicOrganizer } from './wire/organizer.ts';

/** The wire form; `cards` are their upcoming events in order of time. */
export function toPublicOrganizer(
  organizer: OrganizerRecord,
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): PublicOrganizer {
  const toUrl = (language: Lang): string =>
    toAbsolute(site.url, toThingPath('organizer', organizer.slug, language));
  return {
    id: organizer.id,
    slug: organizer.slug[lang],
    url: toUrl(lang),
    url_es: toUrl('es'),
    url_en: toUrl('en'),
    name: organizer.name,
    type: organizer.type,
    verified: organizer.verified,
    description: pick(organizer.description, lang),
    website: organizer.website,
    social: [...organizer.social],
    updated_at: organizer.updated_at,
    upcoming_events: cards.map((card) => toPublicEvent(card, lang, site)),
  };
}
