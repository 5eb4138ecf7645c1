// Asking a release real questions over HTTP before it may serve: today and tomorrow, in both
// languages, on a port of the loopback.
import { NO_NEWS } from '../domain/release-news.ts';
import type { Config } from '../config.ts';
import { LANGS } from '../domain/lang.ts';
import { type Inbox, openInbox } from '../inbox/open.ts';
import type { ServiceContext } from '../server/http/request-context.ts';
import { findIssue } from './ask.ts';
import { type SmokeTest, listDayTests, listServiceTests, listThingTests } from './smoke-tests.ts';
import { pickSamples } from './samples.ts';
import { createFrontServer } from '../server/http/front-server.ts';
import { openRelease, type ReleaseState, retire } from '../server/http/release-state.ts';
import { drain } from '../server/process/shutdown.ts';
import { createBundleLoader } from '../server/http/site-bundle.ts';

const DAY_MS = 86_400_000;
/** Faults told; more of them say nothing new. */
const MAX_ISSUES = 20;

export interface SmokeReport {
  /** How many questions were asked. */
  readonly asked: number;
  /** What was answered wrongly, as sentences; none where the release may serve. */
  readonly issues: readonly string[];
}

/**
 * Asks the release in `dir` as if it were `now_ms`, then a day later. It may not be closed or moved
 * meanwhile.
 */
export async function runSmokeTests(
  config: Config,
  dir: string,
  now_ms: number,
): Promise<SmokeReport> {
  const state = await openRelease(dir, createBundleLoader());
  const issues: string[] = [];
  let at_ms = now_ms;
  const inbox = openInbox(':memory:');
  const service = toServiceContext(config, inbox, (thrown, path) =>
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
    const ask = (request: SmokeTest): Promise<string | null> =>
      findIssue(request, address.port, new URL(config.site_url).host);
    let asked = 0;
    for (at_ms of [now_ms, now_ms + DAY_MS]) {
      for (const request of listTests(state, at_ms, at_ms === now_ms)) {
        const issue = await ask(request);
        if (issue !== null) issues.push(issue);
        asked++;
      }
    }
    return { asked, issues: issues.slice(0, MAX_ISSUES) };
  } finally {
    await drain(server);
    retire(state);
    inbox.close();
  }
}

function listTests(
  { snapshot, files }: ReleaseState,
  now_ms: number,
  is_first_day: boolean,
): SmokeTest[] {
  const daily = LANGS.flatMap((lang) => listDayTests(snapshot, now_ms, lang));
  if (!is_first_day) return daily;
  const samples = pickSamples(snapshot, now_ms);
  const styles = [...files.values()]
    .filter((file) => file.path.startsWith('/_astro/') && file.type.startsWith('text/css'))
    .slice(0, 1);
  return [
    ...listServiceTests(snapshot),
    ...daily,
    ...LANGS.flatMap((lang) => listThingTests(snapshot, samples, lang)),
    ...styles.map(
      ({ path }): SmokeTest => ({
        method: 'GET',
        path,
        headers: {},
        body: null,
        status: 200,
        type: 'text/css',
        holds: [],
      }),
    ),
  ];
}

/** Rules under which nothing is counted, no key is known, and nothing that is sent in is kept. */
function toServiceContext(
  config: Config,
  inbox: Inbox,
  onError: ServiceContext['onError'],
): ServiceContext {
  const site = {
    url: config.site_url,
    name: config.site_name,
    contact_email: config.contact_email,
  };
  const count: ServiceContext['access']['count'] = async (policy) => ({
    policy,
    limit: 1,
    remaining: 1,
    reset_seconds: 1,
    is_exceeded: false,
  });
  return {
    site,
    onError,
    inbox,
    rebuild_hours: 0,
    requestRelease: () => {},
    readReleaseNews: () => NO_NEWS,
    watch: { lastBuild: () => ({ success: null, failure: null }), refusal: () => null },
    access: { site, count, isLiveKey: () => false, trusted_proxies: 0 },
  };
}
