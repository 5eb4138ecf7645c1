// Smoke-testing a release before it serves: over HTTP on the loopback, as it answers today and, where its
// code is new, tomorrow; and the few within this process before it switches.
import { Readable } from 'node:stream';
import { AGENDA_WORDS } from '../../domain/agenda-words.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { toRange } from '../../domain/filters/range.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import { NO_NEWS } from '../../domain/release-news.ts';
import { type SiteSettings, toSite } from '../../domain/site.ts';
import { type Inbox, openInbox } from '../../inbox/open.ts';
import type { Asked } from '../../releases/smoke-tests.ts';
import { findIssue, runSmokeTests } from '../../smoke/run-smoke.ts';
import {
  type AmendedSample,
  type DaySample,
  listAmendedTests,
  listDayTests,
  listEventTests,
  listServiceTests,
  listThingTests,
  type SmokeTest,
  SWITCH_TESTS,
  type ThingSamples,
} from '../../smoke/smoke-tests.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import {
  listOrganizers,
  listStandings,
  listUpcomingEvents,
  listVenues,
} from '../../snapshot/list-things.ts';
import type { Snapshot } from '../../snapshot/open.ts';
import { readAgenda } from '../../snapshot/read-agenda.ts';
import { createQueues } from '../http/admit.ts';
import { countNothing } from '../http/rates.ts';
import { createFrontServer } from '../http/front-server.ts';
import { handleRequest } from '../http/handle-request.ts';
import { createIntake } from '../../pictures/intake.ts';
import { createPainter } from '../../pictures/painter.ts';
import { openRelease, type ReleaseState, retire } from '../http/release-state.ts';
import type { ServiceContext } from '../http/request-context.ts';
import { createBundleLoader, type LoadBundle } from '../http/site-bundle.ts';
import { createCalendarDoor } from '../http/calendar-door.ts';
import { createUploadDoor } from '../http/uploads.ts';
import { drain } from './listen.ts';

const DAY_MS = 86_400_000;
/** How many issues are reported; more of them say nothing new. */
const MAX_ISSUES = 20;

/** What a candidate is asked. */
export interface SmokeOrder {
  readonly asked?: Asked;
  /** Ids of events that are asked after, whatever else is. */
  readonly events?: readonly string[];
  /** What has loaded its code already, where that is so. */
  readonly loadBundle?: LoadBundle;
}

/** How a candidate did. */
export interface SmokeReport {
  /** How many tests were run. */
  readonly tested: number;
  /** What was answered wrongly, as sentences; none where the release may serve. */
  readonly issues: readonly string[];
}

/**
 * Tests the release in `dir` as if it were `now_ms`, and a day later where all is asked. It may not be
 * closed or moved meanwhile.
 */
export async function smokeTestCandidate(
  settings: SiteSettings,
  dir: string,
  now_ms: number,
  { asked = 'all', events = [], loadBundle = createBundleLoader() }: SmokeOrder = {},
): Promise<SmokeReport> {
  const state = await openRelease(dir, loadBundle);
  const issues: string[] = [];
  let at_ms = now_ms;
  const inbox = openInbox(':memory:');
  const service = toServiceContext(settings, inbox, (thrown, path) =>
    issues.push(`${path} fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`),
  );
  const server = createFrontServer({ service, current: () => state, clock: () => at_ms });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: '127.0.0.1', port: 0 }, resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string')
      throw new Error('The loopback gave no port to ask on');
    let tested = 0;
    for (at_ms of asked === 'all' ? [now_ms, now_ms + DAY_MS] : [now_ms]) {
      const tests = [
        ...listTests(state, at_ms, at_ms === now_ms ? asked : 'tomorrow'),
        ...listChangedTests(state.snapshot, at_ms, events),
      ];
      const { host } = new URL(service.site.url);
      await runSmokeTests(tests, { port: address.port, host }, (issue) => issues.push(issue));
      tested += tests.length;
    }
    return { tested, issues: issues.slice(0, MAX_ISSUES) };
  } finally {
    await drain(server);
    retire(state);
    inbox.close();
  }
}

/**
 * Runs the few tests before a switch, without sockets. Gives the state itself where all responses
 * are right; else it is closed, and this throws.
 */
export async function smokeTestSwitch(
  state: ReleaseState,
  service: ServiceContext,
  now_ms: number,
): Promise<ReleaseState> {
  const issue = await findFirstIssue(state, service, SWITCH_TESTS, now_ms);
  if (issue === null) return state;
  retire(state);
  throw new Error(`${issue} in release ${state.id}`);
}

/** Runs tests without sockets; what is wrong with the first that is answered wrongly, or null. */
async function findFirstIssue(
  state: ReleaseState,
  service: ServiceContext,
  tests: readonly SmokeTest[],
  now_ms: number,
): Promise<string | null> {
  const uncounted = { ...service, access: { ...service.access, count: countNothing } };
  for (const test of tests) {
    const { method, headers } = test;
    const [path = '', query = ''] = test.path.split('?');
    const response = await handleRequest({
      request: { method, path, query, headers },
      socket_address: undefined,
      work: { route: 'other' },
      readBody: async () => Buffer.alloc(0),
      streamBody: () => Readable.from([]).iterator(),
      state,
      now_ms,
      service: uncounted,
    });
    const issue = findIssue(test, {
      status: response.status,
      type: String(response.headers['content-type']),
      text: String(response.body),
    });
    if (issue !== null) return issue;
  }
  return null;
}

/**
 * Asks the release in `dir`, without sockets, what is asked before a switch, and what it says of events
 * that are amended: somebody waits for it, and most of it has served already.
 */
export async function smokeTestAmended(
  settings: SiteSettings,
  dir: string,
  amendments: readonly AmendedSample[],
  now_ms: number,
): Promise<SmokeReport> {
  const state = await openRelease(dir, createBundleLoader());
  const inbox = openInbox(':memory:');
  const issues: string[] = [];
  const service = toServiceContext(settings, inbox, (thrown, path) =>
    issues.push(`${path} fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`),
  );
  try {
    const tests = [...SWITCH_TESTS, ...listAmendedTests(amendments)];
    const issue = await findFirstIssue(state, service, tests, now_ms);
    return { tested: tests.length, issues: issue === null ? issues : [...issues, issue] };
  } finally {
    retire(state);
    inbox.close();
  }
}

function listTests(
  { snapshot, files, facts }: ReleaseState,
  now_ms: number,
  asked: Asked | 'tomorrow',
): SmokeTest[] {
  const daily =
    asked === 'few'
      ? SWITCH_TESTS
      : LANGS.flatMap((lang) => listDayTests(readDay(snapshot, now_ms, lang)));
  if (asked === 'tomorrow') return [...daily];
  const stylesheet = [...files.values()].find(
    (file) => file.path.startsWith('/_astro/') && file.type.startsWith('text/css'),
  );
  const things = asked === 'few' ? null : pickThings(snapshot, now_ms);
  return [
    ...listServiceTests({
      // Of an amended one its snapshot is later.
      generated_at: facts.generated_at,
      stylesheet: stylesheet?.path ?? null,
    }),
    ...daily,
    ...(things === null ? [] : LANGS.flatMap((lang) => listThingTests(things, lang))),
  ];
}

function readDay(snapshot: Snapshot, now_ms: number, lang: Lang): DaySample {
  const today = toCancunDay(now_ms);
  const later = today.add({ days: 3 }).toString();
  const titles = [...AGENDA_WORDS, later].flatMap((date): [string, string][] => {
    const range = toRange(date, now_ms);
    const [first] = range ? readAgenda(snapshot, range, now_ms, lang).events : [];
    return first ? [[date, first.event.title[lang]]] : [];
  });
  return {
    lang,
    generated_at: snapshot.generated_at,
    today: today.toString(),
    later,
    titles: new Map(titles),
  };
}

/** Most events that are asked after one by one. */
const MOST_EVENTS = 5;

function listChangedTests(snapshot: Snapshot, now_ms: number, ids: readonly string[]): SmokeTest[] {
  const events = ids.slice(0, MOST_EVENTS).flatMap((id) => {
    const found = getEvent(snapshot, id, now_ms);
    return found === null || found === 'gone' ? [] : [found.event];
  });
  return LANGS.flatMap((lang) => listEventTests(events, snapshot.generated_at, lang));
}

/** The first of each kind; null where there is none. */
function pickThings(snapshot: Snapshot, now_ms: number): ThingSamples {
  const upcoming = listUpcomingEvents(snapshot, now_ms);
  const ahead = new Set(upcoming.map((event) => event.id));
  const past_id = [...listStandings(snapshot).keys()].find((id) => !ahead.has(id));
  const [first, past] = [upcoming[0]?.id, past_id].map((id) => {
    const found = id === undefined ? null : getEvent(snapshot, id, now_ms);
    return found === 'gone' || found === null ? null : found.event;
  });
  const { categories, zones } = snapshot.taxonomy;
  return {
    generated_at: snapshot.generated_at,
    events: [first, past].flatMap((event) => event ?? []),
    venue: listVenues(snapshot)[0] ?? null,
    organizer: listOrganizers(snapshot)[0] ?? null,
    category: categories.find(({ key }) => key === first?.category) ?? categories[0] ?? null,
    zone: zones.find(({ key }) => key === first?.zone) ?? zones[0] ?? null,
  };
}

/** Nothing is counted, no key is known, and nothing that is sent in is stored. */
function toServiceContext(
  settings: SiteSettings,
  inbox: Inbox,
  onError: ServiceContext['onError'],
): ServiceContext {
  const site = toSite(settings);
  return {
    site,
    onError,
    onNote: () => {},
    inbox,
    rebuild_hours: 0,
    queues: createQueues(),
    requestRelease: () => {},
    paint: createPainter(),
    uploads: createUploadDoor(createIntake()),
    calendars: createCalendarDoor([]),
    readReleaseNews: () => NO_NEWS,
    watch: {
      lastBuild: () => ({ success: null, failure: null }),
      refusal: () => null,
      isEnding: () => false,
      replacedBy: () => null,
    },
    access: { site, count: countNothing, isLiveKey: () => false, trusted_proxies: 0 },
  };
}
