// Following the change log: a client that fetches only changes has the same data as one that reads everything
// (contract 8.31).
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { requestApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';
import { fetchChanges, type TestRelease, createReleasedTown } from '../fixtures/released-town.ts';

const HOUR_MS = 3_600_000;
const RELEASES = 30;
const folder = useFolder();

function readCopy({ snapshot, now_ms }: TestRelease, url: string): unknown {
  const response = requestApi(snapshot, url, { now_ms });
  expect(response.status, url).toBe(200);
  const { data } = v.parse(
    v.object({ data: v.looseObject({}) }),
    JSON.parse(String(response.body)),
  );
  const time_dependent = [
    'next',
    'more_dates',
    'is_past',
    'recurrence',
    'upcoming_events',
    'today',
  ];
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => !time_dependent.includes(name)),
  );
}

function readEverything(release: TestRelease): ReadonlyMap<string, unknown> {
  const { events, venues, organizers } = release.town;
  return new Map(
    Object.entries({ events, venues, organizers }).flatMap(([path, records]) =>
      records.map(({ id }) => [id, readCopy(release, `/api/v1/${path}/${id}`)] as const),
    ),
  );
}

/** A client that keeps a copy and requests only changes. */
class Follower {
  readonly copies = new Map<string, unknown>();
  readonly notices = new Set<string>();
  cursor: string | null = null;

  /** Fetches one page of changes. @returns true if there are no more. */
  step(release: TestRelease, limit: number): boolean {
    const start = this.cursor === null ? 'since=2000-01-01' : `cursor=${this.cursor}`;
    const { data, meta } = fetchChanges(release, `${start}&limit=${limit}`);
    for (const { id, kind, change, api_url } of data) {
      if (kind === 'notice' && change === 'withdrawn') this.notices.delete(id);
      else if (kind === 'notice') this.notices.add(id);
      else if (change === 'withdrawn') this.copies.delete(id);
      else this.copies.set(id, readCopy(release, new URL(String(api_url)).pathname));
    }
    this.cursor = meta.cursor;
    return !meta.has_more;
  }
}

/** Creates a seeded pseudorandom generator of integers from 0 to `n` - 1. */
function createDice(): (n: number) => number {
  let state = 20_261_121;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
}

type Town = ReturnType<typeof createReleasedTown>;
const INCIDENTS: readonly ((town: Town, stem: string, round: number) => void)[] = [
  (town, stem, round) =>
    town.edit(stem, /^title: .*$/m, `title: { es: Título ${round}, en: Title ${round} }`),
  (town, stem) => town.edit(stem, /^(status: .*\n)?/, 'status: cancelled\n'),
  (town, stem) => town.edit(stem, /^status: .*\n/, ''),
  (town, stem) => town.edit(stem, /checked: \d{4}-\d\d-\d\d/, 'checked: 2026-11-19'),
  (town, _, round) =>
    town.edit('venues/malecon-inventado', /^name: .*$/m, `name: Malecón ${round}`),
  (town, _, round) =>
    town.edit('organizers/colectivo-de-prueba', /^name: .*$/m, `name: Colectivo ${round}`),
  (town, _, round) => town.edit('zones', /"Centro[^"]*"/, `"Centro ${round}"`),
  (town, _, round) =>
    town.edit('notices/obra-vial', /^title: .*$/m, `title: { es: Calle ${round}, en: Street }`),
  (town) => {
    const spare = 'events/nueva';
    const text = town.read('events/exposicion-larga');
    if (town.has(spare)) town.remove(spare);
    else town.write(spare, text.replace(/^title: .*$/m, 'title: { es: Nueva, en: New one }'));
  },
  () => {},
];
const STEMS = ['concierto-unico', 'feria-diaria', 'exposicion-larga', 'fiesta-de-viernes'];

test('after many releases the follower has exactly the current records', () => {
  const town = createReleasedTown(join(folder, 'town'));
  const dice = createDice();
  const follower = new Follower();
  let release = town.release(FRIDAY_NOON_MS);
  for (let round = 1; round <= RELEASES; round += 1) {
    const stem = `events/${STEMS[dice(STEMS.length)]}`;
    INCIDENTS[dice(INCIDENTS.length)]?.(town, stem, round);
    // The clock sometimes goes backwards; overall it passes the end of a month twice.
    release = town.release(FRIDAY_NOON_MS + (round % 7 === 0 ? round - 2 : round) * 30 * HOUR_MS);
    // Sometimes fetch one page, so that a release comes between two pages; sometimes fetch all.
    if (round % 3 === 0) follower.step(release, 1 + dice(3));
    if (round % 5 !== 0) continue;
    while (!follower.step(release, 1 + dice(4)));
    expect(follower.copies).toEqual(readEverything(release));
    expect([...follower.notices].sort()).toEqual(release.town.notices.map(({ id }) => id).sort());
  }
  expect(follower.copies.size).toBeGreaterThan(8);
  expect(fetchChanges(release, `cursor=${follower.cursor}`).data).toEqual([]);
  town.stop();
}, 120_000);
