// Change serialization: the public JSON of a change log entry (contract 4.18).
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

/** Latest change of a record. */
export const PublicChangeSchema = v.strictObject({
  kind: v.picklist(RECORD_KINDS),
  id: v.string(),
  change: describe(
    v.picklist(CHANGE_LOG_KINDS),
    'Latest change since meta.since. refreshed: only further dates of its rule, or a source checked again. withdrawn: delete your copy.',
  ),
  changed_at: describe(TimestampSchema, 'When its data last changed.'),
  title: describe(nullableOptional(v.string()), 'Null if withdrawn, like both addresses.'),
  url: describe(nullableOptional(UrlSchema), 'Page.'),
  api_url: describe(nullableOptional(UrlSchema), 'Current data.'),
});
export type PublicChange = v.InferOutput<typeof PublicChangeSchema>;

function changedRecordApiPath(thing: ChangedRecord): string {
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

/** Serializes a change, with `title` and `url` in the requested language. */
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
    api_url: thing && absoluteUrl(site.url, changedRecordApiPath(thing)),
  };
}
