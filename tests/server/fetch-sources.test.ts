// Source fetching: a slow or broken source delays and stops no other.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { getSourceState } from '../../src/inbox/followed-sources.ts';
import { listDeskNotices } from '../../src/desk/desk-notices.ts';
import { createPoliteFetcher, fetchDueSources } from '../../src/server/fetch-sources.ts';
import { FRIDAY_NOON_MS as NOW_MS, useFixture } from '../fixtures/fixture.ts';
import { icsCalendar, icsEvent } from '../fixtures/calendars.ts';
import { listenOnLocalhost } from '../fixtures/folder.ts';
import { inbox, useInbox } from '../fixtures/inbox.ts';
import { createSource, startSourceServer } from '../fixtures/source-server.ts';

const ALERT = `<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>A1</identifier><sender>smn.mx</sender>
<sent>2026-11-20T11:00:00-05:00</sent><status>Actual</status><msgType>Alert</msgType><scope>Public</scope>
<info><language>es-MX</language><category>Met</category><event>Ciclón</event><urgency>Immediate</urgency>
<severity>Extreme</severity><certainty>Observed</certainty><expires>2026-11-21T06:00:00-05:00</expires>
<senderName>SMN</senderName><headline>Huracán</headline><description>Quédate en casa.</description>
<area><areaDesc>Norte de Quintana Roo</areaDesc></area></info></alert>`;
const town = useFixture();
const calendars = await startSourceServer();
/** Serves alerts at once, on a host of its own. */
const alerts = createServer((request, response) =>
  response.end(request.url === '/robots.txt' ? '' : ALERT),
);
const alerts_host = `127.0.0.1:${await listenOnLocalhost(alerts)}`;
afterAll(calendars.stop);
afterAll(() => void alerts.close());
useInbox();
beforeEach(() => calendars.forbid(''));

const CALENDAR = calendars.source();
const CAP = createSource({ key: 'smn', kind: 'cap', url: `http://${alerts_host}/cap.xml` });

/** Fetches sources; the alerts come last in the list. */
async function run(
  times: { readonly timeout_ms?: number; readonly source_timeout_ms?: number } = {},
  changeFetcher = (fetch: ReturnType<typeof createPoliteFetcher>) => fetch,
) {
  const read: string[] = [];
  const fetchSource = createPoliteFetcher({
    ...{ calendars_allow: [calendars.host, alerts_host], site_url: 'https://hoy.example' },
    ...{ pause_ms: 0, ...times },
  });
  const desk = { inbox, snapshot: town.snapshot, now_ms: NOW_MS };
  const sources = [CALENDAR, CAP];
  const end = fetchDueSources(desk, {
    ...{ sources, fetchSource: changeFetcher(fetchSource) },
    onSourceRead: ({ key }) => void read.push(key),
  });
  return { read, end };
}

test('an alert is published while another source is still slow', async () => {
  const slow = Promise.withResolvers<void>();
  calendars.answer(async (response) => {
    await slow.promise;
    response.end(icsCalendar(icsEvent('Ana', 1)));
  });
  const { read, end } = await run();
  await expect.poll(() => read).toEqual(['smn']);
  expect(await listDeskNotices(inbox)).toHaveLength(1);
  slow.resolve();
  await end;
  expect(read).toEqual(['smn', 'foro']);
});

test('a source that redirects slowly fails at its time limit', async () => {
  calendars.answer(async (response, request) => {
    await sleep(150);
    const hop = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0) + 1;
    response.writeHead(302, { location: `/${hop}.ics` }).end();
  });
  await (await run({ source_timeout_ms: 200 })).end;
  expect(await getSourceState(inbox, 'foro')).toMatchObject({ problem: 'too_slow' });
});

test('a source that breaks our program fails alone, and is retried later', async () => {
  const breakCalendar =
    (fetch: ReturnType<typeof createPoliteFetcher>): typeof fetch =>
    async (source, ...rest) => {
      if (source.kind === 'icalendar') throw new TypeError('a fault of ours');
      return fetch(source, ...rest);
    };
  const { read, end } = await run({}, breakCalendar);
  await expect(end).rejects.toThrow('a fault of ours');
  expect(read.sort()).toEqual(['foro', 'smn']);
  expect(await getSourceState(inbox, 'foro')).toMatchObject({
    ...{ problem: 'failed', failures: 1, failing_ms: NOW_MS, next_ms: NOW_MS + 1_800_000 },
  });
});
