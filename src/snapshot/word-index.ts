// The word index: every folded word and the events that have it, so that `q` finds words and word
// beginnings, either number, other forms, and forgives a slip (contract 7.13, 7.14, 7.15).
import type { Database } from 'better-sqlite3';
import * as v from 'valibot';
import {
  dropSilent,
  MIN_FORGIVEN_LENGTH,
  nearlyMatchesWord,
  sharesStem,
  type Spelling,
  toOtherNumbers,
} from '../domain/search-words.ts';
import { toStem } from '../domain/word-stems.ts';

export interface WordIndex {
  /** All words, sorted by code units. */
  readonly words: readonly string[];
  /** The positions of the events that have each. */
  readonly events: readonly Int32Array[];
}

/** Reads the words of each event. */
export function readWordIndex(db: Database): WordIndex {
  const found = new Map<string, number[]>();
  let position = 0;
  const sql = 'select words from events order by position';
  for (const text of db.prepare(sql).pluck().iterate()) {
    for (const word of v.parse(v.string(), text).split(' ')) {
      const events = found.get(word);
      if (events) events.push(position);
      else found.set(word, [position]);
    }
    position += 1;
  }
  const words = [...found.keys()].sort();
  return { words, events: words.map((word) => Int32Array.from(found.get(word) ?? [])) };
}

/** The first word that is not before a beginning. */
function firstReaching(words: readonly string[], beginning: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < beginning) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The positions of the words that begin so and of which something holds. */
function listBeginning(
  { words }: WordIndex,
  beginning: string,
  holds: (word: string) => boolean = () => true,
): readonly number[] {
  const found: number[] = [];
  for (let at = firstReaching(words, beginning); words[at]?.startsWith(beginning); at += 1)
    if (holds(words[at] ?? '')) found.push(at);
  return found;
}

/** The words that a searched word finds: those it begins, and its other number. */
const listStrict = (index: WordIndex, wanted: string): readonly number[] => [
  ...listBeginning(index, wanted),
  ...toOtherNumbers(wanted).flatMap((word) => listBeginning(index, word, (each) => each === word)),
];

/** The words that are another form of a searched word: its stem begins them all. */
const listForms = (index: WordIndex, wanted: string): readonly number[] =>
  listBeginning(index, toStem(wanted), (word) => sharesStem(wanted, word));

/** The words that a searched word is one slip away from. */
const listNear = (index: WordIndex, wanted: string): readonly number[] =>
  wanted.length < MIN_FORGIVEN_LENGTH
    ? []
    : listBeginning(index, '', (word) => nearlyMatchesWord(wanted, word));

/**
 * 1 for each event that has a word of every list, by position; no event where there are no lists.
 */
function markEvents(
  { events }: WordIndex,
  lists: readonly (readonly number[])[],
  event_count: number,
): Uint8Array {
  const hits = new Uint8Array(event_count);
  lists.forEach((words, round) => {
    for (const word of words)
      for (const event of events[word] ?? []) if (hits[event] === round) hits[event] = round + 1;
  });
  return hits.map((count) => (lists.length > 0 && count === lists.length ? 1 : 0));
}

/** What `q` finds. */
export interface WordMatches {
  /** 1 for each event that matches, by position. */
  readonly marks: Uint8Array;
  /** The words that were forgiven a slip; empty where nothing had to be. */
  readonly spellings: readonly Spelling[];
}

/**
 * The events that have every wanted word. Where no event has, words that say nothing are left out
 * and other forms count; where still none has, one slip in each word of five letters or more is
 * forgiven (contract 7.14, 7.15). None for a query without words.
 */
export function matchWords(
  index: WordIndex,
  wanted: readonly string[],
  event_count: number,
): WordMatches {
  const mark = (lists: readonly (readonly number[])[]) => markEvents(index, lists, event_count);
  const strict = mark(wanted.map((word) => listStrict(index, word)));
  if (wanted.length === 0 || strict.includes(1)) return { marks: strict, spellings: [] };
  const telling = dropSilent(wanted);
  const forms = telling.map((word) => [...listStrict(index, word), ...listForms(index, word)]);
  const loose = mark(forms);
  if (loose.includes(1)) return { marks: loose, spellings: [] };
  const near = telling.map((word) => listNear(index, word));
  const marks = mark(forms.map((words, at) => [...words, ...(near[at] ?? [])]));
  return { marks, spellings: toSpellings(index, telling, near, marks) };
}

/** The slips that led to an event. */
const toSpellings = (
  { words, events }: WordIndex,
  wanted: readonly string[],
  near: readonly (readonly number[])[],
  marks: Uint8Array,
): readonly Spelling[] =>
  wanted.flatMap((word, at) => {
    const read_as = (near[at] ?? []).flatMap((found) =>
      events[found]?.some((event) => marks[event] === 1) ? [words[found] ?? ''] : [],
    );
    return read_as.length === 0 ? [] : [{ word, read_as }];
  });
