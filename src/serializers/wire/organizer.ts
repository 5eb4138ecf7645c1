// An organizer in its wire form (contract 4.11).
import * as v from 'valibot';
import type { EventCard } from '../../domain/agenda.ts';
import {
  about,
  byUrlName,
  CountSchema,
  toWire,
  toWireEntries,
  type WireOf,
} from '../../domain/fields.ts';
import type { Lang } from '../../domain/lang.ts';
import { ORGANIZER_FIELDS, type OrganizerRecord } from '../../domain/organizer.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { PublicEventSchema, toPublicEvent } from './event.ts';

/** Who makes events, with what is upcoming of theirs. */
export const PublicOrganizerSchema = v.strictObject({
  ...toWireEntries(ORGANIZER_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});
export type PublicOrganizer = v.InferOutput<typeof PublicOrganizerSchema>;

export const ListedOrganizerSchema = v.strictObject({
  ...toWireEntries(ORGANIZER_FIELDS),
  upcoming_count: about(CountSchema, 'Events of theirs that are still to end.'),
});
export type ListedOrganizer = v.InferOutput<typeof ListedOrganizerSchema>;

function toOrganizerFields(
  organizer: OrganizerRecord,
  lang: Lang,
  site: Site,
): WireOf<typeof ORGANIZER_FIELDS> {
  const toUrl = (each: Lang): string =>
    toAbsolute(site.url, toThingPath('organizer', organizer.slug, each));
  return toWire(ORGANIZER_FIELDS, organizer, lang, { url: toUrl(lang), ...byUrlName(toUrl) });
}

/** `cards` are their upcoming events in order of time. */
export const toPublicOrganizer = (
  organizer: OrganizerRecord,
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): PublicOrganizer => ({
  ...toOrganizerFields(organizer, lang, site),
  upcoming_events: cards.map((card) => toPublicEvent(card, lang, site)),
});

export const toListedOrganizer = (
  record: OrganizerRecord,
  upcoming_count: number,
  lang: Lang,
  site: Site,
): ListedOrganizer => ({ ...toOrganizerFields(record, lang, site), upcoming_count });
