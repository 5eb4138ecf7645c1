// How much of what people look for is found: each query of queries.yml asked of the town of town.yml.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Dataset } from '../../src/domain/dataset.ts';
import type { Lang, LocalText } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { askFor } from '../fixtures/ask.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import { createFolder } from '../fixtures/folder.ts';
import { EventListResponse } from '../fixtures/responses.ts';

const CONTENT_DIR = join(import.meta.dirname, '../../content');
/** What the search knows of words is the real town's; everything else is the tests' own. */
const FILES = ['categories.yml', 'zones.yml', 'search-words.yml', 'motifs.yml', 'motifs'] as const;

interface Words {
  readonly title: LocalText;
  readonly summary: LocalText;
  readonly tags: readonly string[];
  readonly category: string;
  readonly zone?: string;
  readonly venue?: string;
  readonly organizer?: string;
  readonly free?: boolean;
}
type Town = Readonly<Record<string, Words>>;
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
const { snapshot } = useFixture(toDataset(town));
/** What of the expected was missed by each query, and what was found that must not be. */
const asked = queries.map(({ lang, q, expect: words, not = [] }) => {
  const query = new URLSearchParams({ q, lang, limit: '200' });
  const { data } = askFor(snapshot, EventListResponse, `/api/v1/events?${query}`);
  const found = new Set(data.map(({ id }) => id.slice('ev_'.length)));
  const expected = toNames(town, words);
  const missed = expected.filter((name) => !found.has(name));
  const wrong = toNames(town, not).filter((name) => found.has(name));
  return { lang, q, expected: expected.length, found: found.size, missed, wrong };
});

/** Of what was expected, on the mean over all queries; 0.657 before there were forms and other words. */
const FLOOR = 0.97;
test('what people look for is found', () => {
  const shares = asked.map(({ expected, missed }) => 1 - missed.length / expected);
  const recall = shares.reduce((sum, share) => sum + share, 0) / asked.length;
  const missed = asked.filter((each) => each.missed.length > 0);
  expect(recall, JSON.stringify(missed)).toBeGreaterThanOrEqual(FLOOR);
});

test('nothing is found that must not be', () => {
  expect(asked.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
});

/** Events by name; `category:` and `tag:` are all that have it. Throws for a name that is none. */
function toNames(town: Town, words: readonly string[]): readonly string[] {
  const names = words.flatMap((word) => {
    const [kind, key = ''] = word.split(':');
    const isMeant = ([name, { category, tags }]: readonly [string, Words]): boolean =>
      name === word ||
      (kind === 'category' && category === key) ||
      (kind === 'tag' && tags.includes(key));
    const meant = Object.entries(town).filter(isMeant);
    if (meant.length === 0) throw new Error(`queries.yml: '${word}' is nothing in town.yml`);
    return meant.map(([name]) => name);
  });
  return [...new Set(names)];
}

/** The tests' town with the words of town.yml: each event once, tomorrow. */
function toDataset(town: Town): Dataset {
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
