// The coverage of the agenda as a report for a terminal, each figure beside what is wanted.
import { CATEGORY_KEYS, ZONE_KEYS } from '../domain/taxon.ts';
import type { Completeness, Coverage } from './coverage.ts';

/** What an agenda worth asking has; shares of 1. Coordinates: 70 of 75. */
const TARGETS = {
  distinct: 8,
  categories: 12,
  hour: 0.8,
  price: 0.6,
  nightclubs: 0.25,
  located: 70 / 75,
  described: 1,
} as const;

const toShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;

/** A table in columns. */
function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((line) => (line[at] ?? '').length)),
  );
  return rows
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A day a row, and their sum. */
function toDays(rows: readonly Coverage[]): string {
  const head = [
    'day',
    'listings',
    'distinct',
    'nightclubs',
    'zones',
    'categories',
    'hour',
    'price',
    'confirmed',
    'places',
  ];
  const lines = rows.map((row) => [
    row.day === '' ? 'all' : row.day,
    String(row.listings),
    row.day === '' ? '' : String(row.distinct),
    String(row.nightclubs),
    `${row.zones.size} of ${ZONE_KEYS.length}`,
    `${row.categories.size} of ${CATEGORY_KEYS.length}`,
    toShare(row.hour_known, row.listings),
    toShare(row.price_known, row.listings),
    toShare(row.confirmed, row.listings),
    String(row.places.size),
  ]);
  return toTable([head, ...lines]);
}

/** What an editor works towards: the figure, its target and whether it is short. */
function toTargets(rows: readonly Coverage[], known: Completeness): string {
  const all = rows.at(-1);
  const days = rows.slice(0, -1);
  if (all === undefined) return '';
  const poorest = days.reduce<Coverage | undefined>(
    (least, row) => (least && least.distinct <= row.distinct ? least : row),
    undefined,
  );
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  const toRow = (name: string, target: string, figure: string, is_met: boolean): string[] => [
    name,
    target,
    figure,
    is_met ? 'met' : 'SHORT',
  ];
  const ofEvery = (name: string, least: number, part: number, whole: number): string[] =>
    toRow(
      name,
      `at least ${Math.round(least * 100)} %`,
      `${toShare(part, whole)} (${part} of ${whole})`,
      share(part, whole) >= least,
    );
  const clubs = share(all.nightclubs, all.listings);
  return toTable([
    ['target', 'wanted', 'now', ''],
    toRow(
      'listings of a day, neither nightclub nor the same museum',
      `at least ${TARGETS.distinct}`,
      poorest ? `${poorest.distinct} on ${poorest.day}, the poorest day` : '–',
      (poorest?.distinct ?? 0) >= TARGETS.distinct,
    ),
    toRow('zones', `${ZONE_KEYS.length}`, `${all.zones.size}`, all.zones.size === ZONE_KEYS.length),
    toRow(
      'categories',
      `at least ${TARGETS.categories}`,
      `${all.categories.size}`,
      all.categories.size >= TARGETS.categories,
    ),
    ofEvery('hour known', TARGETS.hour, all.hour_known, all.listings),
    ofEvery('price known', TARGETS.price, all.price_known, all.listings),
    toRow(
      'nightclubs among the listings',
      `at most ${TARGETS.nightclubs * 100} %`,
      toShare(all.nightclubs, all.listings),
      clubs <= TARGETS.nightclubs,
    ),
    ofEvery('coordinates of venues', TARGETS.located, known.located, known.venues),
    ofEvery('a description beyond the summary', TARGETS.described, known.described, known.events),
  ]);
}

/** The days, the targets beside the figures, then what no listing has. */
export function formatCoverage(rows: readonly Coverage[], known: Completeness): string {
  const all = rows.at(-1);
  const missing = (keys: readonly string[], found: ReadonlySet<string> | undefined): string =>
    keys.filter((key) => !found?.has(key)).join(', ') || 'none';
  const reached = new Set([
    ...(all?.zones ?? []),
    ...[...(all?.places ?? [])].map((v) => v.zone ?? ''),
  ]);
  return `${toDays(rows)}\n\n${toTargets(rows, known)}\n\nzones without a listing: ${missing(ZONE_KEYS, all?.zones)}\nzones without a listing or an open place: ${missing(ZONE_KEYS, reached)}\ncategories without a listing: ${missing(CATEGORY_KEYS, all?.categories)}\n`;
}
