// The seasons among the notices, as a release knows them for its days (contract 4.15).
import type { Temporal } from 'temporal-polyfill';
import type { SeasonRecord } from '../domain/day/day-facts.ts';
import { toConfidence } from './certainty.ts';
import type { NoticeFile } from './content-schema.ts';
import type { ContentFile } from './read-content.ts';
import { toDays } from './rule-days.ts';
import { toNoticeId } from './to-records.ts';

/**
 * Each season of `files` up to `horizon`. Only what sources carry with high confidence on the day
 * called today has fixed days.
 */
export function toSeasons(
  files: readonly ContentFile<NoticeFile>[],
  today: Temporal.PlainDate,
  horizon: Temporal.PlainDate,
): readonly SeasonRecord[] {
  return files.flatMap((source) => {
    const { season, season_name, when, open } = source.value;
    if (season !== true || season_name === undefined || open) return [];
    const is_fixed = toConfidence(source.value, today) === 'high';
    return when.flatMap((rule, position) =>
      toDays(rule, position, horizon, source, []).map((first) => ({
        notice: toNoticeId(source, first),
        name: season_name,
        first: first.toString(),
        last: first.add({ days: rule.days - 1 }).toString(),
        is_fixed,
      })),
    );
  });
}
