// What became of a thing in its wire form (contract 4.18).
import * as v from 'valibot';
import { toLocalDay } from '../../domain/local-time.ts';
import { about, AddressSchema, orNull, TimestampSchema } from '../../domain/fields.ts';
import {
  CHANGES,
  HISTORY_KINDS,
  type ChangedThing,
  type ChangeRecord,
} from '../../domain/history.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toChangedPath, toThingName } from '../../i18n/change-words.ts';
import { API_PATHS, toAbsolute, toApiPath, withQuery } from '../../i18n/paths.ts';

/** One thing that changed; the last word on it, however often it did. */
export const PublicChangeSchema = v.strictObject({
  kind: v.picklist(HISTORY_KINDS),
  id: v.string(),
  change: about(
    v.picklist(CHANGES),
    'What became of it since meta.since. refreshed: nothing that people read; further dates of its rule, or a source looked at again. withdrawn: delete your copy.',
  ),
  changed_at: about(TimestampSchema, 'When anything an answer says of it last changed.'),
  title: about(orNull(v.string()), 'Null where it was withdrawn, like the two addresses.'),
  url: about(orNull(AddressSchema), 'Its page.'),
  api_url: about(orNull(AddressSchema), 'Where it can be read as it is now.'),
});
export type PublicChange = v.InferOutput<typeof PublicChangeSchema>;

function toApiAddress(thing: ChangedThing): string {
  switch (thing.kind) {
    case 'event':
      return toApiPath('getEvent', thing.card.event.id);
    case 'venue':
      return toApiPath('getVenue', thing.record.id);
    case 'organizer':
      return toApiPath('getOrganizer', thing.record.id);
    case 'notice':
      return withQuery(API_PATHS.listNotices, {
        date: toLocalDay(thing.record.start_ms).toString(),
      });
  }
}

/** `title` and `url` in the language of the answer. */
export function toPublicChange(
  { kind, id, change, changed_at, thing }: ChangeRecord,
  lang: Lang,
  site: Site,
): PublicChange {
  return {
    kind,
    id,
    change,
    changed_at,
    title: thing && toThingName(thing)[lang],
    url: thing && toAbsolute(site.url, toChangedPath(thing, lang)),
    api_url: thing && toAbsolute(site.url, toApiAddress(thing)),
  };
}
