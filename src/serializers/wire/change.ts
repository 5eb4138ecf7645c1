// Change serialization: converts an entry of the change log to public JSON (contract 4.18). The
// change log has the latest modification of each record; it is not the inbox, whose changes are
// proposals.
import * as v from 'valibot';
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
import { absoluteUrl, apiPath, withLang, withQuery } from '../../i18n/paths.ts';
import { PublicOccurrenceSchema, serializeOccurrence } from './event.ts';

/** The latest modification of one record. */
export const PublicChangeSchema = v.strictObject({
  kind: v.picklist(RECORD_KINDS),
  id: v.string(),
  change: describe(
    v.picklist(CHANGE_LOG_KINDS),
    'Most important change since meta.since: cancelled and postponed before added. refreshed: only further dates of its rule, or a source checked again. withdrawn: delete your copy.',
  ),
  dates: describe(
    v.exactOptional(v.array(PublicOccurrenceSchema)),
    'Only if it is about some dates of an event: these, with their status.',
  ),
  changed_at: describe(TimestampSchema, 'When its data last changed.'),
  title: describe(nullableOptional(v.string()), 'Null if withdrawn, like both addresses.'),
  url: describe(nullableOptional(UrlSchema), 'Page.'),
  api_url: describe(nullableOptional(UrlSchema), 'Current data.'),
});
export type PublicChange = v.InferOutput<typeof PublicChangeSchema>;

/** Returns the path of a record's JSON. */
function changedRecordApiPath(record_ref: ChangedRecord): string {
  switch (record_ref.kind) {
    case 'event':
      return apiPath('getEvent', record_ref.card.event.id);
    case 'venue':
      return apiPath('getVenue', record_ref.record.id);
    case 'organizer':
      return apiPath('getOrganizer', record_ref.record.id);
    case 'notice':
      return apiPath('getNotice', record_ref.record.id);
  }
}

/**
 * Serializes an entry, with `title`, `url` and `api_url` in the requested language.
 * `thing`: the current record; null if it was withdrawn.
 */
export function serializeChange(
  { kind, id, change, changed_at, dates, thing }: ChangeLogEntry,
  lang: Lang,
  site: Site,
): PublicChange {
  return {
    kind,
    id,
    change,
    ...(dates.length > 0 && { dates: dates.map((date) => serializeOccurrence(date, lang)) }),
    changed_at,
    title: thing && changedRecordName(thing)[lang],
    url: thing && absoluteUrl(site.url, changedRecordPath(thing, lang)),
    api_url:
      thing && absoluteUrl(site.url, withQuery(changedRecordApiPath(thing), withLang({}, lang))),
  };
}
