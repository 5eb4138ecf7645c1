// GET /api/v1/days/{date}: what is known of a day, whatever takes place on it (contract 8.14).
import { AppError } from '../domain/app-error.ts';
import { toDayFacts } from '../domain/day/day-facts.ts';
import { readLang } from '../domain/filters/lang.ts';
import { readComputedDay } from '../domain/filters/notice-query.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { toPublicDay } from '../serializers/wire/day.ts';
import { toPublicOpenPlaces } from '../serializers/wire/opening.ts';
import { toMeta } from '../serializers/wire/meta.ts';
import { findOpenPlaces } from '../snapshot/places.ts';
import { type Call, readParameters, toFreshness } from './operation.ts';

/** The day as `{data, meta}`. Throws AppError invalid_parameter for what is no day of those years. */
export function toDayResponse({ request, id, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const lang = readLang(readParameters(request.query, ['lang'], issues), issues);
  const day = readComputedDay(id, now_ms, issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  const places = findOpenPlaces(snapshot, day);
  const data = {
    ...toPublicDay(toDayFacts(day, snapshot.calendar), lang),
    open_places: toPublicOpenPlaces(places, lang, site),
  };
  return toEnvelopeResponse(data, toMeta(snapshot.generated_at, lang, site), {
    'cache-control': toFreshness(now_ms),
  });
}
