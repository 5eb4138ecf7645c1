// The checks a snapshot passes before it is used: integrity, references, counts, every language.
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { Dataset } from '../domain/dataset.ts';
import { type Lang, LANGS } from '../domain/lang.ts';

const countWhere = (toCondition: (lang: Lang) => string): string =>
  `select count(*) from events where ${LANGS.map(toCondition).join(' or ')}`;

const isEmpty = (field: 'title' | 'summary', lang: Lang): string =>
  `coalesce(trim(record ->> '$.${field}.${lang}'), '') = ''`;

/** Every statement counts what must not be; none of them may find anything. */
const MUST_BE_NONE: Readonly<Record<string, string>> = {
  'references that lead nowhere': 'select count(*) from pragma_foreign_key_check',
  'events without both titles': countWhere((lang) => isEmpty('title', lang)),
  'events without both summaries': countWhere((lang) => isEmpty('summary', lang)),
  'events without an occurrence':
    'select count(*) from events e where not exists (select 1 from occurrences o where o.event = e.position)',
  'occurrences that end before they start':
    'select count(*) from occurrences where end_ms <= start_ms or last_day < first_day',
  'occurrences out of order':
    'select count(*) from occurrences a join occurrences b on b.position = a.position + 1 where b.start_ms < a.start_ms',
  'slugs of events that lead nowhere': `select count(*) from slugs where kind = 'event' and id not in (select id from events)`,
  'events whose slugs do not lead to them': countWhere(
    (lang) =>
      `not exists (select 1 from slugs s where s.kind = 'event' and s.slug = record ->> '$.slug.${lang}' and s.id = events.id)`,
  ),
};

const COUNTED = ['events', 'occurrences', 'venues', 'organizers', 'notices'] as const;

/** What is wrong with the snapshot of a dataset; nothing where it can be used. */
export function checkSnapshot(
  path: string,
  dataset: Pick<Dataset, (typeof COUNTED)[number]>,
): string[] {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  const count = (sql: string): number => v.parse(v.number(), db.prepare(sql).pluck().get());
  try {
    const integrity = String(db.pragma('quick_check', { simple: true }));
    const lost = COUNTED.flatMap((table) => {
      const [found, written] = [count(`select count(*) from ${table}`), dataset[table].length];
      return found === written ? [] : [`${table}: ${found} rows where ${written} were written`];
    });
    const wrong = Object.entries(MUST_BE_NONE).flatMap(([what, sql]) => {
      const found = count(sql);
      return found === 0 ? [] : [`${what}: ${found}`];
    });
    return [...(integrity === 'ok' ? [] : [`integrity: ${integrity}`]), ...lost, ...wrong];
  } finally {
    db.close();
  }
}
