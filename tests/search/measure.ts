// How much of what people look for the search finds: each query of queries.yml asked of the town of
// town.yml, through the API.
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import type { Dataset } from '../../src/domain/dataset.ts';
import { LANGS, LocalTextSchema } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { EventListResponse } from '../../src/serializers/wire/responses.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { ask } from '../fixtures/ask.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const CONTENT_DIR = join(import.meta.dirname, '../../content');
/** What the search knows of words is the real town's; everything else is the tests' own. */
const VOCABULARY = ['categories.yml', 'zones.yml', 'search-words.yml'] as const;

const TownSchema = v.record(
  v.string(),
  v.object({
    title: LocalTextSchema,
    summary: LocalTextSchema,
    tags: v.array(v.string()),
    category: v.string(),
    zone: v.optional(v.string()),
    venue: v.optional(v.string()),
    organizer: v.optional(v.string()),
    free: v.optional(v.boolean(), false),
  }),
);
type Town = v.InferOutput<typeof TownSchema>;

const QueriesSchema = v.array(
  v.strictObject({
    lang: v.picklist(LANGS),
    q: v.string(),
    expect: v.array(v.string()),
    not: v.optional(v.array(v.string()), []),
  }),
);

const readYaml = (name: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

/** What became of one query. */
export interface Asked {
  readonly lang: string;
  readonly q: string;
  /** What it was expected to find, and what of that it did not. */
  readonly expected: number;
  readonly missed: readonly string[];
  /** What it found that it must not. */
  readonly wrong: readonly string[];
  /** All that it found. */
  readonly found: number;
}

/** Asks every query. */
export function askQueries(): readonly Asked[] {
  const town = v.parse(TownSchema, readYaml('town.yml'));
  const { snapshot, close } = openFixture(toDataset(town));
  try {
    return v.parse(QueriesSchema, readYaml('queries.yml')).map(({ lang, q, expect, not }) => {
      const query = new URLSearchParams({ q, lang, limit: '200' });
      const { body } = ask(snapshot, `/api/v1/events?${query}`);
      const { data } = v.parse(EventListResponse, JSON.parse(String(body)));
      const found = new Set(data.map(({ id }) => id.slice('ev_'.length)));
      const expected = toNames(town, expect);
      return {
        ...{ lang, q, expected: expected.size, found: found.size },
        missed: [...expected].filter((name) => !found.has(name)),
        wrong: [...toNames(town, not)].filter((name) => found.has(name)),
      };
    });
  } finally {
    close();
  }
}

/** The mean over all queries of how much of what was expected is found, 0 to 1. */
export const toRecall = (asked: readonly Asked[]): number =>
  asked.reduce((sum, { expected, missed }) => sum + 1 - missed.length / expected, 0) / asked.length;

/** Events by name; `category:` and `tag:` are all that have it. Throws for a name that is none. */
function toNames(town: Town, words: readonly string[]): ReadonlySet<string> {
  return new Set(
    words.flatMap((word) => {
      const [kind, key = ''] = word.split(':');
      const names = Object.entries(town).flatMap(([name, event]) =>
        (kind === 'category' && event.category === key) ||
        (kind === 'tag' && event.tags.includes(key)) ||
        name === word
          ? [name]
          : [],
      );
      if (names.length === 0) throw new Error(`queries.yml: '${word}' is nothing in town.yml`);
      return names;
    }),
  );
}

/** The tests' town with the words of town.yml: each event once, tomorrow. */
function toDataset(town: Town): Dataset {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-search-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  for (const name of VOCABULARY) cpSync(join(CONTENT_DIR, name), join(folder, name));
  const base = readDataset(folder, EMPTY_LEDGER, FRIDAY_NOON_MS);
  rmSync(folder, { recursive: true });
  const [event, occurrence] = [base.events[0], base.occurrences.at(-1)];
  const [venue, organizer] = [base.venues[0], base.organizers[0]];
  if (!event || !occurrence || !venue || !organizer) throw new Error('The town is empty');
  const all = Object.entries(town);
  const listNames = (kind: 'venue' | 'organizer') => [
    ...new Set(all.flatMap(([, each]) => each[kind] ?? [])),
  ];
  const events = all.map(([name, { free, ...words }]) => ({
    ...event,
    ...words,
    ...{ id: `ev_${name}`, slug: { es: name, en: name }, zone: words.zone ?? null },
    ...{ venue: words.venue ?? null, organizer: words.organizer ?? null },
    price: { ...event.price, is_free: free },
  }));
  return {
    ...base,
    events,
    venues: listNames('venue').map((name) => ({ ...venue, id: name, name })),
    organizers: listNames('organizer').map((name) => ({ ...organizer, id: name, name })),
    occurrences: events.map(({ id }) => ({ ...occurrence, id: `${id}-1`, event: id })),
  };
}
