// GET /api/v1/organizers/{slug}: an organizer and what is upcoming of theirs (interface 4,
// getOrganizer).
import { AppError } from '../domain/app-error.ts';
import { floorToMinute } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { HttpResponse } from '../http/message.ts';
import { toEnvelopeResponse } from '../http/json.ts';
import { toMeta } from '../serializers/wire/meta.ts';
import { toPublicOrganizer } from '../serializers/wire/organizer.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { getOrganizer as readOrganizer } from '../snapshot/get-organizer.ts';
import type { ApiContext, Call } from './context.ts';
import { toFreshness } from './freshness.ts';
import { parseLang } from './parse-lang.ts';

/** By any slug it ever had, or its id. Throws AppError not_found. */
export function findOrganizer(slug: string, { snapshot }: ApiContext): OrganizerRecord {
  const organizer = readOrganizer(snapshot, slug);
  if (organizer === null) throw new AppError('not_found', 'slug: no organizer has this slug');
  return organizer;
}

/** The organizer as `{data, meta}` with at most 200 upcoming events. */
export function getOrganizer({ request, id, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const organizer = findOrganizer(id, context);
  const filter = {
    ...toOpenFilter(floorToMinute(now_ms), LIMITS.list.max),
    organizer: organizer.id,
  };
  const { cards } = findEvents(snapshot, filter, lang);
  return toEnvelopeResponse(
    toPublicOrganizer(organizer, cards, lang, site),
    toMeta(snapshot.generated_at, lang, site),
    { 'cache-control': toFreshness(now_ms) },
  );
}
