// Calendar clients: shows our calendars in khal in other time zones, and synchronizes changes with vdirsyncer (contract 12).
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { defaultCalendarRange } from '../../src/domain/query/date-range.ts';
import { unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { RESULT_LIMITS } from '../../src/domain/query/parameters.ts';
import { findOccurrences } from '../../src/snapshot/find-events.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { requestApi } from '../fixtures/ask.ts';
import { STATUS } from '../fixtures/event-surfaces.ts';
import { FRIDAY_NOON_MS, openTestSnapshot } from '../fixtures/fixture.ts';
import { listenOnLocalhost, useFolder } from '../fixtures/folder.ts';
import { loadGeneratedTown } from '../fixtures/made-up-town.ts';
import { findCalendarClients } from '../fixtures/programs.ts';
import { createReleasedTown } from '../fixtures/released-town.ts';

const CONTENT = resolve(import.meta.dirname, '../../content');
const HOUR_MS = 3_600_000;
const folder = useFolder();

const BREAK = '␞';
const FORMAT = `{uid}␟{start-long}␟{end-long}␟{title}␟{status}␟{location}${BREAK}`;

/** Creates a calendar subscriber with its own home folder: khal shows the calendar, vdirsyncer synchronizes the feed. */
async function createSubscriber(local_zone: string, feed_url: string) {
  const home = mkdtempSync(join(folder, 'home-'));
  const { khal, vdirsyncer } = await findCalendarClients();
  const calendar = join(home, 'calendar');
  mkdirSync(calendar, { recursive: true });
  writeFileSync(
    join(home, 'khal.conf'),
    `[calendars]
[[feed]]
path = ${calendar}
[locale]
local_timezone = ${local_zone}
default_timezone = ${local_zone}
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
[sqlite]
path = ${join(home, 'khal.db')}
`,
  );
  writeFileSync(
    join(home, 'vdirsyncer.conf'),
    `[general]
status_path = "${join(home, 'status')}"
[pair feed]
a = "remote"
b = "local"
collections = null
conflict_resolution = "a wins"
[storage remote]
type = "http"
url = "${feed_url}"
[storage local]
type = "filesystem"
path = "${calendar}"
fileext = ".ics"
`,
  );
  const xdg = { XDG_CONFIG_HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: home };
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', HOME: home, ...xdg };
  const run = async (program: string, config: string, ...args: readonly string[]) => {
    const options = { env, maxBuffer: 64 * 1024 * 1024 };
    const arguments_with_config = ['-c', join(home, config), ...args];
    return (await promisify(execFile)(program, arguments_with_config, options)).stdout;
  };
  return {
    subscribe: () => run(vdirsyncer, 'vdirsyncer.conf', 'discover'),
    sync: () => run(vdirsyncer, 'vdirsyncer.conf', 'sync'),
    importFeed: (feed: string) => {
      const file = join(home, 'feed.ics');
      writeFileSync(file, feed);
      return run(khal, 'khal.conf', 'import', '--batch', '-a', 'feed', file);
    },
    show: async (from: string, to: string) => {
      const formats = ['--day-format', '', '--format', FORMAT];
      const text = await run(khal, 'khal.conf', 'list', '--once', ...formats, from, to);
      return text
        .split(BREAK)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .map((line) => parseLine(line.split('␟')));
    },
  };
}

function parseLine(parts: readonly string[]) {
  const [uid = '', start = '', end = '', title = '', status = '', location = ''] = parts;
  if (parts.length !== 6) throw new Error(`khal printed ${JSON.stringify(parts)}`);
  return { uid, start, end, title, status: status.trim(), location };
}
type ShownEvent = ReturnType<typeof parseLine>;

const loadRealTown = () => loadDataset(CONTENT, EMPTY_LEDGER, FRIDAY_NOON_MS);
test.each([
  ['the real town', 'Asia/Tokyo', 14, loadRealTown],
  ['a town of hostile titles', 'America/Los_Angeles', -3, () => loadGeneratedTown(120)],
] as const)('khal shows %s at the right hour in %s', async (_, zone, hours_later, loadTown) => {
  const snapshot = openTestSnapshot(loadTown());
  const khal = await createSubscriber(zone, '');
  await khal.importFeed(String(requestApi(snapshot, '/api/v1/events.ics').body));
  const shiftToZone = (timestamp: string): string =>
    new Date(Date.parse(`${timestamp.slice(0, 19)}Z`) + hours_later * HOUR_MS)
      .toISOString()
      .slice(0, 16);
  const filter = unfilteredEventFilter(FRIDAY_NOON_MS, RESULT_LIMITS.feed.max);
  const range = defaultCalendarRange(FRIDAY_NOON_MS);
  const expected = findOccurrences(snapshot, { ...filter, range }).items.map(({ occurrence }) => {
    const { id, start, end, status, all_day } = occurrence;
    // All-day events have the same days in every zone. khal shows the last day, iCalendar has the day after.
    const hours = all_day ? [] : [shiftToZone(start), shiftToZone(end), STATUS[status].calendar];
    return [`${id}@hoycancun`, ...hours].join(' ');
  });
  expect(expected.length).toBeGreaterThan(100);
  const shown = (await khal.show('2026-11-01', '2027-03-31')).map(({ uid, start, end, status }) =>
    start.includes('T') ? [uid, start, end, status].join(' ') : uid,
  );
  expect(new Set(shown)).toEqual(new Set(expected));
});

const listTitled = (events: readonly ShownEvent[], word: string): readonly string[] =>
  events
    .filter(({ title }) => title.includes(word))
    .map(({ start, title, status }) => `${start} ${title} ${status}`);
const excludeTitled = (
  events: readonly ShownEvent[],
  ...words: readonly string[]
): readonly ShownEvent[] =>
  events.filter(({ title }) => !words.some((word) => title.includes(word)));

test('a subscription shows an edit, a new hour, a cancellation and a postponement without duplicates', {
  timeout: 120_000,
}, async () => {
  const town = createReleasedTown(join(folder, 'content'));
  let now_ms = FRIDAY_NOON_MS;
  let release_state = town.release(now_ms);
  const server = createServer((request, response) => {
    const { status, headers, body } = requestApi(release_state.snapshot, request.url ?? '', {
      now_ms,
    });
    response.writeHead(status, { ...headers }).end(body);
  });
  const port = await listenOnLocalhost(server);
  const feed_url = `http://127.0.0.1:${port}/api/v1/events.ics`;
  const subscriber = await createSubscriber('America/Cancun', feed_url);
  await subscriber.subscribe();

  /** Synchronizes and returns the shown events. Expects no duplicates by UID or by date, place and title. */
  const readCalendar = async (): Promise<readonly ShownEvent[]> => {
    await subscriber.sync();
    const shown = await subscriber.show('2026-11-20', '2026-12-13');
    const names = shown.map(({ start, location, title }) =>
      [start, location, title.replace(/^(CANCELADO|POSPUESTO): /, '')].join(' '),
    );
    for (const keys of [shown.map(({ uid }) => uid), names])
      expect(new Set(keys).size, 'duplicates').toBe(shown.length);
    return shown;
  };
  const release = () => {
    now_ms += HOUR_MS;
    release_state = town.release(now_ms);
    return readCalendar();
  };
  const first = await readCalendar();
  expect(listTitled(first, 'Concierto')).toEqual([
    '2026-11-20T19:00 Concierto único; "a", b CONFIRMED',
  ]);
  expect(listTitled(first, 'Obra')).toEqual([
    '2026-11-28T20:00 POSPUESTO: Obra pospuesta TENTATIVE',
  ]);
  expect(await release(), 'nothing has changed').toEqual(first);

  town.edit('events/concierto-unico', /Concierto único; \\"a\\", b/, 'Concierto, con otro nombre');
  town.edit('events/concierto-unico', /start: "19:00"/, 'start: "20:30"');
  const edited = await release();
  const renamed = '2026-11-20T20:30 Concierto, con otro nombre CONFIRMED';
  expect(listTitled(edited, 'Concierto')).toEqual([renamed]);
  expect(excludeTitled(edited, 'Concierto')).toEqual(excludeTitled(first, 'Concierto'));

  const CALLED_OFF = '  - { date: 2026-11-27, status: cancelled }\n';
  const changes = `changes:\n${CALLED_OFF}  - { date: 2026-12-04, status: postponed }\nsources:`;
  town.edit('events/fiesta-de-viernes', /sources:/, changes);
  town.edit('events/obra-pospuesta', /status: postponed/, 'status: published');
  const changed = await release();
  expect(listTitled(changed, 'Fiesta')).toEqual([
    '2026-11-20T22:00 ¡Fiesta de viernes! CONFIRMED',
    '2026-11-27T22:00 CANCELADO: ¡Fiesta de viernes! CANCELLED',
    '2026-12-04T22:00 POSPUESTO: ¡Fiesta de viernes! TENTATIVE',
    '2026-12-11T22:00 ¡Fiesta de viernes! CONFIRMED',
  ]);
  expect(listTitled(changed, 'Obra')).toEqual(['2026-11-28T20:00 Obra pospuesta CONFIRMED']);
  expect(excludeTitled(changed, 'Fiesta', 'Obra')).toEqual(excludeTitled(edited, 'Fiesta', 'Obra'));
  town.edit('events/fiesta-de-viernes', new RegExp(CALLED_OFF), '');
  expect(listTitled(await release(), 'Fiesta')[1]).toBe(
    '2026-11-27T22:00 ¡Fiesta de viernes! CONFIRMED',
  );
  server.close();
  town.stop();
});
