// The checks a snapshot passes before it is used: integrity, references, counts, both languages.
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { SnapshotCounts } from './build.ts';

/** Every statement counts what must not be; none of them may find anything. */
const MUST_BE_NONE: Readonly<Record<string, string>> = {
  'events without both titles': `select count(*) from events where trim(title_es) = '' or trim(title_en) = ''`,
  'events without both summaries': `select count(*) from events where coalesce(trim(record ->> '$.summary.es'), '') = '' or coalesce(trim(record ->> '$.summary.en'), '') = ''`,
  'events without an occurrence':
    'select count(*) from events e where not exists (select 1 from occurrences o where o.event = e.position)',
  'occurrences that end before they start':
    'select count(*) from occurrences where end_ms <= start_ms or last_day < first_day',
  'occurrences out of order':
    'select count(*) from occurrences a join occurrences b on b.position = a.position + 1 where b.start_ms < a.start_ms',
  'slugs of events that lead nowhere': `select count(*) from slugs where kind = 'event' and id not in (select id from events)`,
  'events whose slugs do not lead to them': `select count(*) from events e where not exists (select 1 from slugs s where s.kind = 'event' and s.slug = e.slug_es and s.id = e.id) or not exists (select 1 from slugs s where s.kind = 'event' and s.slug = e.slug_en and s.id = e.id)`,
};

/** The faults of the snapshot at `path`; none where it is sound. `expected`: what was written. */
export function checkSnapshot(path: string, expected: SnapshotCounts): string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  const number = (sql: string): number => v.parse(v.number(), db.prepare(sql).pluck().get());
  try {
    const issues: string[] = [];
    const integrity: unknown = db.pragma('quick_check', { simple: true });
    if (integrity !== 'ok') issues.push(`integrity: ${String(integrity)}`);
    const references = v.parse(v.array(v.unknown()), db.pragma('foreign_key_check'));
    if (references.length > 0) issues.push(`references: ${references.length} lead nowhere`);
    for (const [table, count] of Object.entries(expected)) {
      const found = number(`select count(*) from ${table}`);
      if (found !== count) issues.push(`${table}: ${found} rows where ${count} were written`);
    }
    for (const [what, sql] of Object.entries(MUST_BE_NONE)) {
      const found = number(sql);
      if (found > 0) issues.push(`${what}: ${found}`);
    }
    return issues;
  } finally {
    db.close();
  }
}
