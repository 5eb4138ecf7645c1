// One organizer by id or by any slug it ever had (interface 4, getOrganizer).
import type { OrganizerRecord } from '../domain/organizer.ts';
import { findId } from './get-event.ts';
import type { Snapshot } from './open.ts';
import { readOrganizer } from './read-records.ts';

/** The organizer, or null where there is none. */
export function getOrganizer(snapshot: Snapshot, id_or_slug: string): OrganizerRecord | null {
  const id = findId(snapshot, 'organizer', id_or_slug);
  return id === null || id === 'gone' ? null : readOrganizer(snapshot, id);
}
