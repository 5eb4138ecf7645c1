// Writes a made-up town as a folder of content. JSON is YAML, so the files end in .yml and are quick to
// write and read.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Temporal } from 'temporal-polyfill';
import { type Drawn, toEventFile, toNoticeFile, toOrganizerFile, toVenueFile } from './things.ts';

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

const FILES = {
  venues: toVenueFile,
  organizers: toOrganizerFile,
  notices: toNoticeFile,
  events: toEventFile,
} as const;
const COPIED = [
  'map.yml',
  'categories.yml',
  'zones.yml',
  'calendar.yml',
  'search-words.yml',
  'motifs.yml',
  'motifs',
] as const;

/**
 * Writes the town and gives how many files of each kind it has. The same plan gives the same bytes.
 * Throws where `out` has files in it, so that no real content is written over.
 */
export function writeTown(plan: TownPlan): Readonly<Record<keyof typeof FILES, number>> {
  const { out, seed, anchor, events } = plan;
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty. Name a folder that is not there yet`);
  const counts = {
    events,
    venues: Math.max(7, Math.ceil(events / 8)),
    organizers: Math.max(5, Math.ceil(events / 12)),
    notices: Math.max(24, Math.ceil(events / 50)),
  };
  const drawn: Drawn = { ...counts, seed, anchor };
  for (const folder of ['venues', 'organizers', 'notices', 'events'] as const) {
    mkdirSync(`${out}/${folder}`, { recursive: true });
    for (let number = 0; number < counts[folder]; number++) {
      const { stem, value } = FILES[folder](number, drawn);
      writeFileSync(`${out}/${folder}/${stem}.yml`, `${JSON.stringify(value, null, 1)}\n`);
    }
  }
  for (const file of COPIED)
    if (existsSync(`${plan.content_dir}/${file}`))
      cpSync(`${plan.content_dir}/${file}`, `${out}/${file}`, { recursive: true });
  // Its example of a place is one of these.
  const town = readFileSync(`${plan.content_dir}/town.yml`, 'utf8');
  const { stem } = toVenueFile(0, drawn);
  writeFileSync(`${out}/town.yml`, town.replace(/^( *venue: ).*/m, `$1${stem}`));
  return counts;
}
