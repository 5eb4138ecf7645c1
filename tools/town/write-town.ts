// Writes a made-up town as a folder of content. JSON is YAML, so the files end in .yml and are
// quick to write and read.
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { Temporal } from 'temporal-polyfill';
import { toEventFile } from './events.ts';
import { toNoticeFile } from './notices.ts';
import { toOrganizerFile, toVenueFile, type TownFile } from './places.ts';

/** Most events of a town. */
export const MAX_EVENTS = 200_000;

export interface TownPlan {
  readonly events: number;
  readonly seed: number;
  /** The day around which things happen. */
  readonly anchor: Temporal.PlainDate;
  /** A folder that is not there yet or is empty. */
  readonly out: string;
  /** Where the lists are taken from: categories, zones, calendar, search words. */
  readonly content_dir: string;
}

/** How many files of each kind a town has. */
export interface TownCounts {
  readonly events: number;
  readonly venues: number;
  readonly organizers: number;
  readonly notices: number;
}

const COPIED = ['categories.yml', 'zones.yml', 'calendar.yml', 'search-words.yml'] as const;

/** A venue for every eight events, an organizer for every twelve, a notice for every fifty. */
function countFiles(events: number): TownCounts {
  return {
    events,
    venues: Math.max(7, Math.ceil(events / 8)),
    organizers: Math.max(5, Math.ceil(events / 12)),
    notices: Math.max(24, Math.ceil(events / 50)),
  };
}

/**
 * Writes the town and gives its counts; `onFile` is told after each file. The same plan gives the
 * same bytes. Throws where `out` has files in it, so that no real content is written over.
 */
export function writeTown(plan: TownPlan, onFile: (done: number, all: number) => void): TownCounts {
  const { out, seed, anchor, events } = plan;
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty. Name a folder that is not there yet`);
  const counts = countFiles(events);
  const all = counts.events + counts.venues + counts.organizers + counts.notices;
  let done = 0;
  const write = (folder: keyof TownCounts, toFile: (number: number) => TownFile<unknown>): void => {
    mkdirSync(`${out}/${folder}`, { recursive: true });
    for (let number = 0; number < counts[folder]; number++) {
      const { stem, value } = toFile(number);
      writeFileSync(`${out}/${folder}/${stem}.yml`, `${JSON.stringify(value, null, 1)}\n`);
      onFile(++done, all);
    }
  };
  write('venues', (number) => toVenueFile(number, seed));
  write('organizers', (number) => toOrganizerFile(number, seed));
  write('notices', (number) => toNoticeFile(number, seed, anchor));
  write('events', (number) => toEventFile(number, seed, anchor, counts));
  for (const file of COPIED) copyFileSync(`${plan.content_dir}/${file}`, `${out}/${file}`);
  return counts;
}
