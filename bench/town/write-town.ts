// Generated town: writes a content folder. The .yml files contain JSON, which is valid YAML and fast to write and parse.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Temporal } from 'temporal-polyfill';
import {
  buildEventFile,
  buildNoticeFile,
  buildOrganizerFile,
  buildVenueFile,
  type GeneratorInputs,
} from './records.ts';

export const MAX_EVENTS = 200_000;

export interface TownPlan {
  readonly events: number;
  readonly seed: number;
  /** Day around which the events take place. */
  readonly anchor: Temporal.PlainDate;
  /** Folder to write, missing or empty. */
  readonly out: string;
  /** Content folder to copy lists from: categories, zones, calendar, search words. */
  readonly content_dir: string;
}

const FILE_BUILDERS = {
  venues: buildVenueFile,
  organizers: buildOrganizerFile,
  notices: buildNoticeFile,
  events: buildEventFile,
} as const;
const COPIED_FILES = [
  'map.yml',
  'categories.yml',
  'zones.yml',
  'calendar.yml',
  'search-words.yml',
  'motifs.yml',
  'motifs',
] as const;

/**
 * Writes the town and returns the number of files of each kind. The same plan gives the same bytes.
 * @throws Error if `out` is not empty, so that real content is never overwritten.
 */
export function writeTown(plan: TownPlan): Readonly<Record<keyof typeof FILE_BUILDERS, number>> {
  const { out, seed, anchor, events } = plan;
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is not empty. Choose a folder that does not exist yet`);
  const counts = {
    events,
    venues: Math.max(7, Math.ceil(events / 8)),
    organizers: Math.max(5, Math.ceil(events / 12)),
    notices: Math.max(24, Math.ceil(events / 50)),
  };
  const inputs: GeneratorInputs = { ...counts, seed, anchor };
  for (const folder of ['venues', 'organizers', 'notices', 'events'] as const) {
    mkdirSync(`${out}/${folder}`, { recursive: true });
    for (let number = 0; number < counts[folder]; number++) {
      const { stem, value } = FILE_BUILDERS[folder](number, inputs);
      writeFileSync(`${out}/${folder}/${stem}.yml`, `${JSON.stringify(value, null, 1)}\n`);
    }
  }
  for (const file of COPIED_FILES)
    if (existsSync(`${plan.content_dir}/${file}`))
      cpSync(`${plan.content_dir}/${file}`, `${out}/${file}`, { recursive: true });
  // The example venue in town.yml must exist.
  const town = readFileSync(`${plan.content_dir}/town.yml`, 'utf8');
  const { stem } = buildVenueFile(0, inputs);
  writeFileSync(`${out}/town.yml`, town.replace(/^( *venue: ).*/m, `$1${stem}`));
  return counts;
}
