// Seasons that begin or end: turtles, hurricanes, the closed season of lobster. Their days come from
// the notices that are seasons.
import * as v from 'valibot';
import { Temporal } from 'temporal-polyfill';
import { LocalTextSchema } from '../lang.ts';

/** As the snapshot holds it: one year's season. */
export const SeasonRecordSchema = v.object({
  notice: v.string(),
  /** In the middle of a sentence: `la temporada de huracanes`, `hurricane season`. */
  name: LocalTextSchema,
  /** First and last day, YYYY-MM-DD. */
  first: v.string(),
  last: v.string(),
  /** Whether sources carry these very days; otherwise it begins and ends around them. */
  is_fixed: v.boolean(),
});
export type SeasonRecord = Readonly<v.InferOutput<typeof SeasonRecordSchema>>;

/** The last seven days of a season, and the seven up to its first: the day itself is one of them. */
const TURN_DAYS = 7;

export const SEASON_CHANGES = ['starts', 'ends'] as const;

/** A season that begins or ends on a day or within a week after it. */
export interface SeasonTurn {
  readonly season: SeasonRecord;
  readonly change: (typeof SEASON_CHANGES)[number];
  readonly day: Temporal.PlainDate;
  /** From the day that is asked about; 0 to 6. */
  readonly days_to_go: number;
}

/** What begins or ends around a day, the nearest first. */
export function listSeasonTurns(
  seasons: readonly SeasonRecord[],
  day: Temporal.PlainDate,
): readonly SeasonTurn[] {
  return seasons
    .flatMap((season) =>
      SEASON_CHANGES.map((change): SeasonTurn => {
        const turn = Temporal.PlainDate.from(change === 'starts' ? season.first : season.last);
        return { season, change, day: turn, days_to_go: day.until(turn).days };
      }),
    )
    .filter(({ days_to_go }) => days_to_go >= 0 && days_to_go < TURN_DAYS)
    .sort((a, b) => a.days_to_go - b.days_to_go || (a.season.notice < b.season.notice ? -1 : 1));
}
