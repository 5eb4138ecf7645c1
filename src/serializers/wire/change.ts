// What became of a thing in its wire form (contract 4.18).
import * as v from 'valibot';
import { toLocalDay } from '../../domain/local-time.ts';
import { describe, UrlSchema, nullableOptional, TimestampSchema } from '../../domain/fields.ts';
import {
  CHANGE_LOG_KINDS,
  RECORD_KINDS,
  type ChangedRecord,
  type ChangeLogEntry,
} from '../../domain/record-history.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { changedRecordPath, changedRecordName } from '../../i18n/format-changes.ts';
import { API_PATHS, absoluteUrl, apiPath, withQuery } from '../../i18n/paths.ts';

/** One thing that changed; the last word on it, however often it did. */
export const PublicChangeSchema = v.strictObject({
  kind: v.picklist(RECORD_KINDS),
  id: v.string(),
  change: describe(
    v.picklist(CHANGE_LOG_KINDS),
    'What became of it since meta.since. refreshed: nothing that people read; further dates of its rule, or a source looked at again. withdrawn: delete your copy.',
  ),
  changed_at: describe(TimestampSchema, 'When anything an answer says of it last changed.'),
  title: describe(
    nullableOptional(v.string()),
    'Null where it was withdrawn, like the two addresses.',
  ),
  url: describe(nullableOptional(UrlSchema), 'Its page.'),
  api_url: describe(nullableOptional(UrlSchema), 'Where it can be read as it is now.'),
});
export type PublicChange = v.InferOutput<typeof PublicChangeSchema>;

function toApiAddress(thing: ChangedRecord): string {
  switch (thing.kind) {
    case 'event':
      return apiPath('getEvent', thing.card.event.id);
    case 'venue':
      return apiPath('getVenue', thing.record.id);
    case 'organizer':
      return apiPath('getOrganizer', thing.record.id);
    case 'notice':
      return withQuery(API_PATHS.listNotices, {
        date: toLocalDay(thing.record.start_ms).toString(),
      });
  }
}

/** `title` and `url` in the language of the answer. */
export function serializeChange(
  { kind, id, change, changed_at, thing }: ChangeLogEntry,
  lang: Lang,
  site: Site,
): PublicChange {
  return {
    kind,
    id,
    change,
    changed_at,
    title: thing && changedRecordName(thing)[lang],
    url: thing && absoluteUrl(site.url, changedRecordPath(thing, lang)),
    api_url: thing && absoluteUrl(site.url, toApiAddress(thing)),
  };
}
