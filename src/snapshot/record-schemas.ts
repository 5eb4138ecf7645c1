// What the snapshot's `record` columns hold, parsed as they are read: a row is an edge too.
import * as v from 'valibot';
import { EVENT_FIELDS } from '../domain/event/fields.ts';
import { toStoredEntries } from '../domain/fields.ts';
import { NOTICE_FIELDS } from '../domain/notice.ts';
import { ORGANIZER_FIELDS } from '../domain/organizer.ts';
import { VENUE_FIELDS } from '../domain/venue.ts';

export const EventRecordSchema = v.object(toStoredEntries(EVENT_FIELDS));
export const VenueRecordSchema = v.object(toStoredEntries(VENUE_FIELDS));
export const OrganizerRecordSchema = v.object(toStoredEntries(ORGANIZER_FIELDS));
export const NoticeRecordSchema = v.object(toStoredEntries(NOTICE_FIELDS));
