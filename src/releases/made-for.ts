// What a data folder was made for: the settings that stand in its pages. A command that has others says
// so before it builds, or a shell without SITE_URL puts localhost into every link of a public site.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Config } from '../config.ts';
import { writeDurably } from './durable-file.ts';
import type { Layout } from './layout.ts';

/** By the names that an operator sets them by; empty where one is not set. */
const SettingsSchema = v.object({
  SITE_URL: v.string(),
  SITE_NAME: v.string(),
  CONTACT_EMAIL: v.string(),
  TILES_URL: v.string(),
  TILES_ATTRIBUTION: v.string(),
  TILES_ALLOW: v.string(),
});
type Settings = v.InferOutput<typeof SettingsSchema>;

const toSettings = ({ site_url, site_name, contact_email, tiles }: Config): Settings => ({
  SITE_URL: site_url,
  SITE_NAME: site_name,
  CONTACT_EMAIL: contact_email ?? '',
  TILES_URL: tiles?.url ?? '',
  TILES_ATTRIBUTION: tiles?.attribution ?? '',
  TILES_ALLOW: tiles?.allow.join(',') ?? '',
});

/** Those of a folder; null where it has none, or they cannot be read. */
function readSettings(layout: Layout): Settings | null {
  try {
    return v.parse(SettingsSchema, JSON.parse(readFileSync(layout.settings_file, 'utf8')));
  } catch {
    return null;
  }
}

/** Whether nobody else reaches a site of this address: a trial, whose settings may change at will. */
const isTrial = (site_url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(site_url).hostname);

const NAMES = [
  'SITE_URL',
  'SITE_NAME',
  'CONTACT_EMAIL',
  'TILES_URL',
  'TILES_ATTRIBUTION',
  'TILES_ALLOW',
] as const;

/** A line for each setting that the folder was made with otherwise; none of a trial's. */
export function listChangedSettings(config: Config, layout: Layout): readonly string[] {
  const [before, now] = [readSettings(layout), toSettings(config)];
  if (before === null || !URL.canParse(before.SITE_URL) || isTrial(before.SITE_URL)) return [];
  return NAMES.filter((name) => before[name] !== now[name]).map(
    (name) => `${name}: it was ${before[name] || 'not set'}, now it is ${now[name] || 'not set'}`,
  );
}

/** Throws, with what to do, where the folder was made with other settings than these. */
export function checkSettings(config: Config, layout: Layout): void {
  const changed = listChangedSettings(config, layout);
  if (changed.length === 0) return;
  const names = changed.map((line) => line.split(':', 1)[0]).join(', ');
  throw new Error(
    `${names}: DATA_DIR was made with other settings, so nothing was built and nothing started.\n  ${changed.join('\n  ')}\nSet them as they were, in .env or in the environment. Where the change is meant, say so once: npm run release -- --new-settings`,
  );
}

/** Remembers with what its pages are made. */
export function rememberSettings(config: Config, layout: Layout): void {
  const text = `${JSON.stringify(toSettings(config), null, 2)}\n`;
  try {
    if (readFileSync(layout.settings_file, 'utf8') === text) return;
  } catch {
    // There is none yet.
  }
  writeDurably(layout.settings_file, text);
}
