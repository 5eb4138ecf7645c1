// Of which things two snapshots say otherwise: a page of one of the others is as it was. An event is
// touched with its dates, its venue and its organizer; a venue or an organizer with what takes place there;
// a day with what takes place on it.
import Database from 'better-sqlite3';
import * as v from 'valibot';

/** Their ids; of a thing that only one of the two has, too. Null where any of that kind may be touched. */
export const TouchedSchema = v.object({
  event: v.array(v.string()),
  venue: v.nullable(v.array(v.string())),
  organizer: v.nullable(v.array(v.string())),
  /** Of which the agendas differ, as day numbers; null where those of any day may. */
  days: v.nullable(v.array(v.number())),
});
export type Touched = v.InferOutput<typeof TouchedSchema>;

/** What every page may depend on: where one of these differs, nothing can be said of a single thing. */
const OF_ALL = ['taxa', 'calendar'] as const;
const PLACES = ['venue', 'organizer'] as const;
/** What the agenda of any day may show beside its events: notices, and the places that are open. */
const OF_ALL_DAYS = ['notices', 'venues'] as const;

const DATE_COLUMNS = [
  ...['start', 'end', 'start_ms', 'end_ms', 'first_day', 'last_day', 'all_day', 'time_known'],
  ...['end_known', 'certainty', 'status', 'notes', 'updated_at', 'sequence'],
] as const;
const columnsOf = (name: string): string =>
  `(${DATE_COLUMNS.map((column) => `${name}.${column}`).join(', ')})`;

const eventIdOf = (name: string): string => `substr(${name}.id, 1, instr(${name}.id, '-') - 1)`;

/** Rows of a table that differ or stand on one side only, by what names their thing. */
const toDiffering = (
  table: string,
  isOther: string,
  toId: (name: string) => string = (name) => `${name}.id`,
): string => `
  select ${toId('now')} as id from main.${table} now left join before.${table} was on was.id = now.id where was.id is null or ${isOther}
  union select ${toId('was')} from before.${table} was left join main.${table} now on now.id = was.id where now.id is null`;

const differsBy = (column: string): string => `now.${column} <> was.${column}`;

/**
 * The things that the snapshots at two paths, of the same version, do not say the same of; null where all
 * may be touched.
 */
export function findTouched(before: string, now: string): Touched | null {
  const db = new Database(now, { readonly: true, fileMustExist: true });
  try {
    db.prepare('attach ? as before').run(before);
    return OF_ALL.some((table) => differs(db, table)) ? null : compareThings(db);
  } finally {
    db.close();
  }
}

const differs = (db: Database.Database, table: string): boolean =>
  db
    .prepare(
      `select exists (select * from main.${table} except select * from before.${table})
         or exists (select * from before.${table} except select * from main.${table})`,
    )
    .pluck()
    .get() === 1;

const Ids = v.array(v.string());

function compareThings(db: Database.Database): Touched {
  const list = (sql: string): string[] => v.parse(Ids, db.prepare(sql).pluck().all());
  const own = {
    venue: list(toDiffering('venues', differsBy('record'))),
    organizer: list(toDiffering('organizers', differsBy('record'))),
  };
  const isDate = `${columnsOf('now')} is not ${columnsOf('was')}`;
  const event = new Set([
    ...list(toDiffering('events', differsBy('record'))),
    ...list(toDiffering('occurrences', isDate, eventIdOf)),
    ...PLACES.flatMap((place) => listEventsOf(db, place, own[place])),
  ]);
  const touched = [...event];
  const [venue, organizer] = PLACES.map((place) => [
    ...new Set([...own[place], ...listPlacesOf(db, place, touched)]),
  ]);
  const days = isOfAllDays(db) ? null : listDaysOf(db, touched);
  return { event: touched, venue: venue ?? [], organizer: organizer ?? [], days };
}

const spanOf = (name: string): string =>
  `select min(first_day) as first, max(last_day) as last from ${name}.occurrences`;

/** Whether something differs that every agenda says, the first and the last day of all among it. */
const isOfAllDays = (db: Database.Database): boolean =>
  OF_ALL_DAYS.some((table) => differs(db, table)) ||
  db
    .prepare(`select exists (${spanOf('main')} except ${spanOf('before')})`)
    .pluck()
    .get() === 1;

const Spans = v.array(v.object({ first_day: v.number(), last_day: v.number() }));

/** The days on which some events take place, in either snapshot. */
function listDaysOf(db: Database.Database, ids: readonly string[]): number[] {
  const datesOf = (name: string): string =>
    `select distinct first_day, last_day from ${name}.occurrences
       where event in (select position from ${name}.events where id in (select value from json_each(@ids)))`;
  const rows = db
    .prepare(`${datesOf('main')} union ${datesOf('before')}`)
    .all({ ids: JSON.stringify(ids) });
  const days = v
    .parse(Spans, rows)
    .flatMap(({ first_day, last_day }) =>
      Array.from({ length: last_day - first_day + 1 }, (_, at) => first_day + at),
    );
  return [...new Set(days)];
}

type Place = (typeof PLACES)[number];

/** The events at some places, in either snapshot. */
const listEventsOf = (db: Database.Database, place: Place, ids: readonly string[]): string[] =>
  v.parse(
    Ids,
    db
      .prepare(
        `select id from main.events where ${place} in (select value from json_each(@ids))
         union select id from before.events where ${place} in (select value from json_each(@ids))`,
      )
      .pluck()
      .all({ ids: JSON.stringify(ids) }),
  );

/** The places of some events, in either snapshot. */
const listPlacesOf = (db: Database.Database, place: Place, ids: readonly string[]): string[] =>
  v.parse(
    Ids,
    db
      .prepare(
        `select ${place} from main.events where ${place} is not null and id in (select value from json_each(@ids))
         union select ${place} from before.events where ${place} is not null and id in (select value from json_each(@ids))`,
      )
      .pluck()
      .all({ ids: JSON.stringify(ids) }),
  );
