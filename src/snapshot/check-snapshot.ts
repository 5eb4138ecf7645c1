// Snapshot check: verifies integrity, references, row counts and texts of a snapshot before a
// release uses it.
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { Dataset } from '../domain/dataset.ts';
import { type Lang, LANGS } from '../domain/lang.ts';

/** Builds a statement that counts the events with a condition true in at least one language. */
const countInAnyLang = (buildCondition: (lang: Lang) => string): string =>
  `select count(*) from events where ${LANGS.map(buildCondition).join(' or ')}`;

/** Builds the SQL condition that a text of an event is missing or blank. */
const isEmptySql = (field: 'title' | 'summary', lang: Lang): string =>
  `coalesce(trim(record ->> '$.${field}.${lang}'), '') = ''`;

/** Statements by the name of the problem. Each counts invalid rows and must return 0. */
const INVALID_ROW_COUNTS: Readonly<Record<string, string>> = {
  'dangling references': 'select count(*) from pragma_foreign_key_check',
  'events without both titles': countInAnyLang((lang) => isEmptySql('title', lang)),
  'events without both summaries': countInAnyLang((lang) => isEmptySql('summary', lang)),
  'occurrences that end before they start':
    'select count(*) from occurrences where end_ms <= start_ms or last_day < first_day',
  'occurrences out of order':
    'select count(*) from occurrences former join occurrences later on later.position = former.position + 1 where later.start_ms < former.start_ms',
  'event slugs without an event': `select count(*) from slugs where kind = 'event' and id not in (select id from events)`,
  'events without their slug': countInAnyLang(
    (lang) =>
      `not exists (select 1 from slugs where kind = 'event' and slug = record ->> '$.slug.${lang}' and slugs.id = events.id)`,
  ),
};

const COUNTED_TABLES = ['events', 'occurrences', 'venues', 'organizers', 'notices'] as const;

/** Returns one line for each problem of the snapshot at `path`, which was built from `dataset`. */
export function checkSnapshot(
  path: string,
  dataset: Pick<Dataset, (typeof COUNTED_TABLES)[number]>,
): string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  const count = (sql: string): number => v.parse(v.number(), db.prepare(sql).pluck().get());
  try {
    const integrity = String(db.pragma('quick_check', { simple: true }));
    const missing_rows = COUNTED_TABLES.flatMap((table) => {
      const [actual, expected] = [count(`select count(*) from ${table}`), dataset[table].length];
      return actual === expected ? [] : [`${table}: ${actual} rows, expected ${expected}`];
    });
    const invalid_rows = Object.entries(INVALID_ROW_COUNTS).flatMap(([label, sql]) => {
      const rows = count(sql);
      return rows === 0 ? [] : [`${label}: ${rows}`];
    });
    return [
      ...(integrity === 'ok' ? [] : [`integrity: ${integrity}`]),
      ...missing_rows,
      ...invalid_rows,
    ];
  } finally {
    db.close();
  }
}
