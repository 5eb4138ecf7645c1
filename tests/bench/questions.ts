// Questions to the list of events that are all different, as different people ask them: days, kind,
// place, language.
import { Temporal } from 'temporal-polyfill';
import { CATEGORY_KEYS, ZONE_KEYS } from '../../src/domain/taxon.ts';
import { CLOCK_START } from './bench-town.ts';

export const REPEATED = '/api/v1/events';

const FIRST_DAY = Temporal.PlainDate.from(CLOCK_START.slice(0, 10));
const START_DAYS = 50;
const SHORTEST_DAYS = 7;
const LENGTHS = 85;

const day = (from_now: number): string => FIRST_DAY.add({ days: from_now }).toString();
/** Days as text, so that making a question costs next to nothing while one is measured. */
const DAYS = Array.from({ length: START_DAYS + SHORTEST_DAYS + LENGTHS }, (_, i) => day(i));
/** None, each, and each pair. */
const withPairs = (keys: readonly string[]): readonly string[] => [
  '',
  ...keys,
  ...keys.flatMap((a, i) => keys.slice(i + 1).map((b) => `${a},${b}`)),
];
const CATEGORIES = withPairs(CATEGORY_KEYS);
const ZONES = withPairs(ZONE_KEYS);
const LANGS = ['es', 'en'] as const;

/** How many there are. */
export const QUESTION_COUNT =
  START_DAYS * LENGTHS * CATEGORIES.length * ZONES.length * LANGS.length;
/** A prime that divides it not, so that steps of it visit each once, far from one another. */
const STEP = 15_485_863;

/** The question at a position, another for each below QUESTION_COUNT. */
export function toHttpRequest(position: number): string {
  let rest = (position * STEP) % QUESTION_COUNT;
  const take = (count: number): number => {
    const taken = rest % count;
    rest = Math.floor(rest / count);
    return taken;
  };
  const lang = LANGS[take(LANGS.length)];
  const first = take(START_DAYS);
  const last = first + SHORTEST_DAYS + take(LENGTHS);
  return `${REPEATED}?from=${DAYS[first]}&to=${DAYS[last]}&category=${CATEGORIES[take(CATEGORIES.length)]}&zone=${ZONES[take(ZONES.length)]}&lang=${lang}`;
}
