// The event that a path names, or the error that says why there is none.
import type { EventDetail } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute } from '../domain/cancun-time.ts';
import { getEvent as readEvent } from '../snapshot/get-event.ts';
import type { ApiContext } from './context.ts';

/**
 * By id or any slug it ever had. Throws AppError not_found or gone (decisions, Resources 1 and 4).
 */
export function findEvent(id_or_slug: string, { snapshot, now_ms }: ApiContext): EventDetail {
  const detail = readEvent(snapshot, id_or_slug, floorToMinute(now_ms));
  if (detail === null) throw new AppError('not_found', 'idOrSlug: no event has this id or slug');
  if (detail === 'gone') throw new AppError('gone', 'idOrSlug: this event has been withdrawn');
  return detail;
}
