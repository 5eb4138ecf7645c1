// Search recall: runs each query of queries.yml against the events of town.yml and measures the matches.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { Lang, LocalText } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { getFromApi } from '../fixtures/ask.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import { createFolder } from '../fixtures/folder.ts';
import { EventListResponse } from '../fixtures/responses.ts';

const CONTENT_DIR = join(import.meta.dirname, '../../content');
/** The search vocabulary is the real town's; everything else belongs to the test. */
const FILES = ['categories.yml', 'zones.yml', 'search-words.yml', 'motifs.yml', 'motifs'] as const;

interface EventWords {
  readonly title: LocalText;
  readonly summary: LocalText;
  readonly tags: readonly string[];
  readonly category: string;
  readonly zone?: string;
  readonly venue?: string;
  readonly organizer?: string;
  readonly free?: boolean;
}
type Town = Readonly<Record<string, EventWords>>;
interface Query {
  readonly lang: Lang;
  readonly q: string;
  readonly expect: readonly string[];
  readonly not?: readonly string[];
}

const FOLDER = join(import.meta.dirname, '../fixtures/recall');
const readYaml = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8'));

const town: Town = readYaml('town.yml');
const queries: readonly Query[] = readYaml('queries.yml');
const { snapshot } = useFixture(buildDataset(town));
/** Missing and wrong results of each query. */
const results = queries.map(({ lang, q, expect: words, not = [] }) => {
  const query = new URLSearchParams({ q, lang, limit: '200' });
  const { data } = getFromApi(snapshot, EventListResponse, `/api/v1/events?${query}`);
  const matches = new Set(data.map(({ id }) => id.slice('ev_'.length)));
  const expected = selectNames(town, words);
  const missed = expected.filter((name) => !matches.has(name));
  const wrong = selectNames(town, not).filter((name) => matches.has(name));
  return { lang, q, expected: expected.length, matches: matches.size, missed, wrong };
});

/** Mean over all queries. It was 0.657 before the search knew word forms and synonyms. */
const MIN_RECALL = 0.97;
test('the search finds the expected events', () => {
  const shares = results.map(({ expected, missed }) => 1 - missed.length / expected);
  const recall = shares.reduce((sum, share) => sum + share, 0) / results.length;
  const missed = results.filter((each) => each.missed.length > 0);
  expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(MIN_RECALL);
});

test('the search finds no excluded event', () => {
  expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});

/** Selects events by name, `category:` or `tag:`. @throws for an unknown name. */
function selectNames(town: Town, words: readonly string[]): readonly string[] {
  const names = words.flatMap((word) => {
    const [kind, key = ''] = word.split(':');
    const isSelected = ([name, { category, tags }]: readonly [string, EventWords]): boolean =>
      name === word ||
      (kind === 'category' && category === key) ||
      (kind === 'tag' && tags.includes(key));
    const selected = Object.entries(town).filter(isSelected);
    if (selected.length === 0) throw new Error(`queries.yml: '${word}' is not in town.yml`);
    return selected.map(([name]) => name);
  });
  return [...new Set(names)];
}

/** Builds the fixture's town with the events of town.yml, each with one date, tomorrow. */
function buildDataset(town: Town): Dataset {
  const { folder, remove } = createFolder();
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  for (const name of FILES)
    cpSync(join(CONTENT_DIR, name), join(folder, name), { recursive: true });
  const base = loadDataset(folder, EMPTY_LEDGER, FRIDAY_NOON_MS);
  remove();
  const [event, occurrence] = [base.events[0], base.occurrences.at(-1)];
  const [venue, organizer] = [base.venues[0], base.organizers[0]];
  if (!event || !occurrence || !venue || !organizer) throw new Error('The town is empty');
  const all = Object.values(town);
  const listNames = (kind: 'venue' | 'organizer') =>
    Array.from(new Set(all.flatMap((each) => each[kind] ?? [])));
  const events = Object.entries(town).map(([name, { free = false, ...words }]) => ({
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
