// Alert import: area, severity, publication without review, updates and cancellations of CAP alerts (contract
// 14.51, 14.54, 14.55).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { undoDecision } from '../../src/desk/decisions.ts';
import { evaluateAlerts } from '../../src/desk/import-alerts.ts';
import { closeNotice, listDeskNotices, getNoticePeriod } from '../../src/desk/desk-notices.ts';
import { applyVerdict } from '../../src/desk/review.ts';
import { getCurrentChange, listChanges, listQueueRows } from '../../src/inbox/changes.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { getSourceState, listTakenSenders } from '../../src/inbox/followed-sources.ts';
import type { FollowedSource } from '../../src/sources/followed-sources.ts';
import { localMs, FRIDAY_NOON_MS as NOW_MS, useFixture } from '../fixtures/fixture.ts';
import { ANA, inbox, useInbox } from '../fixtures/inbox.ts';
import { startSourceServer } from '../fixtures/source-server.ts';

const town = useFixture();
const server = await startSourceServer();
afterAll(server.stop);
let now_ms = NOW_MS;
useInbox();
beforeEach(() => {
  now_ms = NOW_MS;
});

const HERE = '<areaDesc>Norte de Quintana Roo</areaDesc>';
const ALERT = {
  ...{ id: 'A1', status: 'Actual', type: 'Alert', scope: 'Public', refs: '', area: HERE },
  ...{ severity: 'Extreme', urgency: 'Immediate', certainty: 'Observed', title: 'Huracán' },
  ...{ expires: '2026-11-21T06:00:00-05:00', more: '', sender: 'smn.mx' },
};
/** Builds an alert in Spanish, sent at the minute of its number. */
function toCap(changed: Partial<typeof ALERT> = {}): string {
  const alert = { ...ALERT, ...changed };
  const { id, status, type, scope, refs, area, title, expires, more, sender, ...levels } = alert;
  const lines = Object.entries(levels).map(([name, text]) => `<${name}>${text}</${name}>`);
  const info = `<category>Met</category><event>Ciclón</event>${lines.join('')}<expires>${expires}</expires><senderName>SMN</senderName>`;
  return `<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>${id}</identifier><sender>${sender}</sender>
<sent>2026-11-20T11:0${id.slice(1)}:00-05:00</sent><status>${status}</status><msgType>${type}</msgType><scope>${scope}</scope>
<references>${refs}</references><info><language>es-MX</language>${info}<headline>${title}</headline>
<description>Quédate en casa.</description><area>${area}</area></info>${more}</alert>`;
}
const follow = (id: string, sender = 'smn.mx') => `${sender},${id},2026-11-20T11:00:00-05:00`;
const toFeed = (...alerts: readonly string[]): string =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">${alerts.map((one) => `<entry><content type="text/xml">${one}</content></entry>`).join('')}</feed>`;

const CAP = { kind: 'cap' } as const;
const evaluate = async (
  xml: string | Buffer,
  changed: Partial<FollowedSource> = {},
  ms = NOW_MS,
) => {
  const desk = { snapshot: town.snapshot, now_ms: ms };
  const evaluated = await evaluateAlerts(
    desk,
    server.source({ ...CAP, ...changed }),
    Buffer.from(xml),
  );
  if ('problem' in evaluated) return evaluated.problem;
  const results = evaluated.alerts.map(({ notice: one }) =>
    typeof one === 'string'
      ? one
      : `${one.severity} ${one.zone ?? 'all'} ${getNoticePeriod(one).end}`,
  );
  return [
    ...results,
    ...Object.entries(evaluated.ignored).flatMap(([why, n]) => (n ? [why, n] : [])),
  ];
};
async function pull(xml: string, changed: Partial<FollowedSource> = {}) {
  now_ms += 60_000;
  server.serve(xml);
  const desk = { inbox, snapshot: town.snapshot, now_ms };
  return (await server.pull(desk, server.source({ ...CAP, ...changed }))).brought;
}
const listActive = async () =>
  (await listDeskNotices(inbox)).map(
    ({ notice }) => `${notice.title.es} ${getNoticePeriod(notice).end}`,
  );
const listPending = async () =>
  (await listQueueRows(inbox)).map(({ kind, title }) => `${kind} ${title}`);
const last = async () => (await listDecisions(inbox, 1))[0];

const file = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/notices', name));
test.each([
  // It names Cancún as 2,241 km away, and has a circle of 2,500 km: an editor decides.
  ['smn-cap12-2014-07-04-huracan-arthur.xml', '2014-07-04', ['info all 2014-07-04T22:15']],
  ['cap12-environment-canada-update-bilingual.cap.xml', '2012-05-02', ['outside']],
  ['cap12-invalid-missing-scope.cap.xml', '2010-08-31', ['unread', 1]],
  ['smn-atom-feed-skeleton-2014.xml', '2014-07-04', ['unread', 2]],
  ['nhc-index-at-2024-09-02-no-cyclones.xml', '2024-09-02', []],
  ['rss-cap-index-traffic-ny.rss', '2011-02-04', []],
])('evaluates the real file %s', async (name, day, expected) => {
  expect(await evaluate(file(name), {}, localMs(`${day}T12:00`))).toEqual(expected);
});

test.each([
  ['Extreme', 'Immediate', 'Observed', 'alert'],
  ['Severe', 'Expected', 'Likely', 'alert'],
  ['Severe', 'Future', 'Likely', 'warning'],
  ['Extreme', 'Immediate', 'Possible', 'warning'],
  ['Moderate', 'Immediate', 'Observed', 'warning'],
  ['Unknown', 'Immediate', 'Observed', 'info'],
  ['Extreme', 'Past', 'Observed', 'info'],
])('%s, %s and %s counts as %s', async (severity, urgency, certainty, expected) => {
  const [result] = await evaluate(toCap({ severity, urgency, certainty }));
  expect(result).toBe(`${expected} all 2026-11-21T06:00`);
});

const ISLAND = '21.20,-86.76 21.20,-86.70 21.28,-86.70 21.28,-86.76 21.20,-86.76';
test.each([
  ['a polygon', `<polygon>${ISLAND}</polygon>`, 'alert isla-mujeres'],
  ['a circle', '<circle>21.1,-86.8 80</circle>', 'alert all'],
  ['a circle far away that names us', `${HERE}<circle>25.0,-80.0 300</circle>`, 'outside'],
  ['another state', '<areaDesc>Yucatán</areaDesc>', 'outside'],
  ['part of a word', '<areaDesc>Cancunito</areaDesc>', 'outside'],
  ['a code', '<geocode><valueName>ISO</valueName><value>MX-ROO</value></geocode>', 'alert all'],
])('the area of %s', async (_, area, expected) => {
  const [result] = await evaluate(toCap({ area }), { areas: ['Cancún', 'Quintana Roo', 'MX-ROO'] });
  expect(result).toBe(expected === 'outside' ? expected : `${expected} 2026-11-21T06:00`);
});

test.each([
  ['an invalid URL', '<web>https://exa mple</web>', '2026-11-21T06:00'],
  ['a start after its end', '<onset>2026-11-25T00:00:00Z</onset>', '2026-11-21T06:00'],
  ['a start out of range', '<onset>-271821-04-20T00:00:00Z</onset>', '2026-11-21T06:00'],
  ['an end in the far future', '<expires>9999-12-31T23:59:59Z</expires>', 'null'],
])('%s does not discard the alert', async (_, xml, end) => {
  const cap = toCap().replace(/<expires>.*<.expires>/, (own) => (end === 'null' ? '' : own));
  expect(await evaluate(cap.replace('<headline>', `${xml}<headline>`))).toEqual([
    `alert all ${end}`,
  ]);
});

test('test, expired, out-of-area and restricted alerts are only counted', async () => {
  const drills = ['Test', 'Exercise', 'Draft'].map((status) => toCap({ status }));
  const over = toCap({ expires: '2026-11-20T11:59:00-05:00' });
  const brought = await pull(
    toFeed(...drills, over, toCap({ id: 'A2', area: '' }), toCap({ scope: 'Private' })),
  );
  expect(brought).toEqual({ test: 3, unread: 1, expired: 1, outside: 1 });
  expect([await listActive(), await listPending()]).toEqual([[], []]);
});

test.each([
  [
    'an entity bomb',
    '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><alert>&b;</alert>',
    'not_feed',
  ],
  [
    'an entity bomb between fake CDATA',
    '<!-- <![CDATA[ --><!DOCTYPE a [<!ENTITY a "aa">]><!-- ]]> --><alert>&a;</alert>',
    'not_feed',
  ],
  ['unclosed CDATA', `<a>${'<![CDATA['.repeat(100_000)}`, 'cut_off'],
  ['a truncated file', toCap().slice(0, 500), 'cut_off'],
  ['an HTML page', '<!doctype html><html><title>Entrar</title></html>', 'is_page'],
  ['a file that is too large', toCap({ title: 'a'.repeat(1024 * 1024) }), 'too_large'],
])('rejects %s', async (_, xml, problem) => {
  await pull(toCap());
  await pull(xml);
  expect((await getSourceState(inbox, 'foro'))?.problem).toBe(problem);
  expect(await listActive()).toEqual(['Huracán 2026-11-21T06:00']);
});

test('publishes a severe alert at once, and only once', async () => {
  expect(await pull(toCap())).toMatchObject({ new: 1, published: 1 });
  expect(await pull(toFeed(toCap(), toCap()))).toMatchObject({ known: 2 });
  const [change] = await listChanges(inbox, (query) => query);
  expect([(await last())?.editor, change?.door]).toEqual(['source:foro', 'source']);
});

test('a notice has both languages if the alert does, otherwise it names its language', async () => {
  const [info = ''] = toCap({ title: 'Hurricane' }).match(/<info>.*<\/info>/s) ?? [];
  await pull(toFeed(toCap({ more: info.replace('es-MX', 'en-US') }), toCap({ id: 'A2' })));
  const titles = (await listDeskNotices(inbox)).map(({ notice }) => [
    notice.title,
    notice.written_in,
  ]);
  expect(titles).toContainEqual([{ es: 'Huracán', en: 'Hurricane' }, undefined]);
  expect(titles).toContainEqual([{ es: 'Huracán', en: 'Huracán' }, 'es']);
});

test('other alerts are pending; an update replaces them, and is published if severe', async () => {
  const mild = { severity: 'Moderate', title: 'Lluvia' };
  await pull(toCap(mild));
  await pull(toCap({ ...mild, id: 'A2', type: 'Update', refs: follow('A1'), title: 'Más lluvia' }));
  expect([await listActive(), await listPending()]).toEqual([[], ['notice Más lluvia']]);
  await pull(toCap({ id: 'A3', type: 'Update', refs: `${follow('A1')} ${follow('A2')}` }));
  expect([await listActive(), await listPending()]).toEqual([['Huracán 2026-11-21T06:00'], []]);
});

test('an editor can publish a pending alert, and a cancellation dismisses it', async () => {
  const mild = { severity: 'Moderate', title: 'Lluvia' };
  await pull(toCap(mild), { publish_from: 'none' });
  const [{ reference } = { reference: '' }] = await listQueueRows(inbox);
  await applyVerdict(inbox, ANA, 'approve', reference, [{ reference, revision: 1 }]);
  expect([await listActive(), await listPending()]).toEqual([['Lluvia 2026-11-21T06:00'], []]);
  await pull(toCap({ ...mild, id: 'B1' }));
  await pull(toCap({ id: 'B2', type: 'Cancel', refs: follow('B1') }));
  expect([await listActive(), await listPending()]).toEqual([['Lluvia 2026-11-21T06:00'], []]);
});

test('an update replaces the notice, a cancellation ends it, and both can be undone', async () => {
  await pull(toCap());
  const update = { id: 'A2', type: 'Update', refs: follow('A1'), title: 'Huracán 2' };
  await pull(toCap({ ...update, severity: 'Minor', expires: '2026-11-22T06:00:00-05:00' }));
  expect(await listActive()).toEqual(['Huracán 2 2026-11-22T06:00']);
  const cancel = toCap({ id: 'A3', type: 'Cancel', refs: follow('A2') });
  expect(await pull(cancel)).toMatchObject({ cancelled: 1 });
  expect(await listActive()).toEqual(['Huracán 2 2026-11-20T12:03']);
  await undoDecision(inbox, (await last())?.id ?? 0, ANA);
  expect(await pull(cancel)).toMatchObject({ known: 1 });
  expect(await listActive()).toEqual(['Huracán 2 2026-11-22T06:00']);
  await pull(toCap({ id: 'A4', type: 'Update', refs: follow('A2'), area: '' }));
  expect(await listActive()).toEqual(['Huracán 2 2026-11-20T12:05']);
});

test('an update of a notice that an editor closed is pending, however severe', async () => {
  await pull(toCap());
  const [{ id } = { id: '' }] = await listDeskNotices(inbox);
  await closeNotice(inbox, { ...ANA, now_ms }, id);
  await pull(toCap({ id: 'A2', type: 'Update', refs: follow('A1'), title: 'Otro' }));
  expect([await listActive(), await listPending()]).toEqual([
    ['Huracán 2026-11-20T12:01'],
    ['notice Otro'],
  ]);
});

test('follows the links of a feed, and a missing one does not affect the others', async () => {
  const links = ['/a.xml', '/none.xml'].map((path) => `<item><link>${path}</link></item>`);
  const pages = new Map([['/a.xml', toCap()]]);
  const index = `<rss><channel><title>SMN</title>${links.join('')}</channel></rss>`;
  server.answer((response, { url = '' }) => {
    const body = url === '/foro.ics' ? index : pages.get(url);
    response.writeHead(body === undefined ? 404 : 200, { etag: '"a"' }).end(body);
  });
  const desk = { inbox, snapshot: town.snapshot, now_ms };
  const { brought, etag } = await server.pull(desk, server.source(CAP));
  expect([brought, etag]).toEqual([{ new: 1, published: 1, test: 0, unread: 1 }, null]);
  expect(await listActive()).toEqual(['Huracán 2026-11-21T06:00']);
});

const ACTIVE = 'Huracán 2026-11-21T06:00';
const OTHER = { key: 'otra', publish_from: 'info' } as const;

test.each([
  ['Cancel', { type: 'Cancel' }],
  ['Update that expired', { type: 'Update', expires: '2026-11-20T11:59:00-05:00' }],
  ['Update for another place', { type: 'Update', area: '' }],
  ['Update', { type: 'Update', title: 'Falsa alarma', severity: 'Minor' }],
])(
  'the %s of another source does not affect an alert, although it names its sender',
  async (_, change) => {
    await pull(toCap());
    await pull(toCap({ id: 'A2', refs: follow('A1'), ...change }), OTHER);
    expect(await listActive()).toContain(ACTIVE);
  },
);

test('another source that serves an identifier first does not suppress the alert', async () => {
  await pull(toCap({ severity: 'Minor', title: 'Nada' }), { ...OTHER, publish_from: 'none' });
  await pull(toCap({ id: 'A2', type: 'Cancel', refs: follow('A1') }), OTHER);
  expect(await pull(toCap())).toMatchObject({ new: 1, published: 1 });
  expect(await listActive()).toEqual([ACTIVE]);
});

test('references to alerts of another sender do not count, even in the same source', async () => {
  await pull(toCap());
  const cancel = { id: 'A2', type: 'Cancel', sender: 'otro.mx' };
  await pull(toCap({ ...cancel, refs: follow('A1') }));
  await pull(toCap({ ...cancel, id: 'A3', refs: follow('A1', 'otro.mx') }));
  expect(await listActive()).toEqual([ACTIVE]);
});

describe('a source that may not publish an alert by itself', () => {
  const MILD = { severity: 'Moderate', title: 'Lluvia' };
  const RAIN = 'Lluvia 2026-11-21T06:00';
  /** Imports an alert that an editor approves, and returns its reference. */
  async function approveMild(changed: Partial<FollowedSource> = {}) {
    await pull(toCap(MILD), changed);
    await decide('approve');
  }
  async function decide(verdict: 'approve' | 'dismiss') {
    const [{ reference } = { reference: '' }] = await listQueueRows(inbox);
    const { revision = 0 } = (await getCurrentChange(inbox, reference)) ?? {};
    const actor = { ...ANA, now_ms };
    await applyVerdict(inbox, actor, verdict, reference, [{ reference, revision }], 'Sigue.');
  }
  const cancel = toCap({ ...MILD, id: 'A3', type: 'Cancel', refs: follow('A1') });

  test.each([
    ['alert', 'Cancel', cancel],
    ['none', 'Cancel', cancel],
    [
      'alert',
      'Update for another place',
      toCap({ ...MILD, id: 'A3', refs: follow('A1'), area: '' }),
    ],
  ] as const)('with %s, its %s goes to the queue', async (publish_from, _, xml) => {
    await approveMild({ publish_from });
    expect(await pull(xml, { publish_from })).toMatchObject({ changed: 1 });
    expect([await listActive(), await listPending()]).toEqual([[RAIN], ['notice_end Lluvia']]);
    expect(await pull(xml, { publish_from })).toMatchObject({ known: 1 });
    await decide('approve');
    expect([await listActive(), await listPending()]).toEqual([['Lluvia 2026-11-20T12:02'], []]);
    await undoDecision(inbox, (await last())?.id ?? 0, ANA);
    expect([await listActive(), await listPending()]).toEqual([[RAIN], ['notice_end Lluvia']]);
    await decide('dismiss');
    expect(await pull(xml, { publish_from })).toMatchObject({ known: 1 });
    expect([await listActive(), await listPending()]).toEqual([[RAIN], []]);
  });

  test('a cancellation of a notice that has not begun can be approved', async () => {
    const onset = '<onset>2026-11-20T22:00:00-05:00</onset>';
    await pull(toCap(MILD).replace('<headline>', `${onset}<headline>`));
    await decide('approve');
    await pull(cancel);
    await decide('approve');
    expect([await listActive(), await listPending()]).toEqual([['Lluvia 2026-11-20T12:02'], []]);
  });

  test('its update waits, and replaces an older one that waits', async () => {
    await approveMild();
    const update = { ...MILD, type: 'Update', refs: follow('A1') };
    await pull(toCap({ ...update, id: 'A2', title: 'Más lluvia' }));
    await pull(toCap({ ...update, id: 'A3', title: 'Menos lluvia' }));
    expect([await listActive(), await listPending()]).toEqual([[RAIN], ['notice Menos lluvia']]);
    await pull(toCap({ ...update, id: 'A4', type: 'Cancel' }));
    expect([await listActive(), await listPending()]).toEqual([[RAIN], ['notice_end Lluvia']]);
    await pull(toCap({ id: 'A5', type: 'Update', refs: follow('A3') }));
    expect([await listActive(), await listPending()]).toEqual([['Huracán 2026-11-21T06:00'], []]);
  });
});

describe('a source whose alerts have the sender of another source', () => {
  const listTaken = async (key: string) =>
    listTakenSenders((await getSourceState(inbox, key)) ?? { key, senders: {} });

  test('is named with it, until it stops', async () => {
    await pull(toCap());
    await pull(toFeed());
    const imposter = toFeed(toCap({ sender: 'SMN.mx' }), toCap({ id: 'A2', sender: 'propio.mx' }));
    await pull(imposter, OTHER);
    expect([await listTaken('foro'), await listTaken('otra')]).toEqual([[], [['smn.mx', 'foro']]]);
    await pull(toCap({ id: 'A3' }));
    expect(await listTaken('foro')).toEqual([]);
    await pull(toCap({ id: 'A4', sender: 'propio.mx' }), OTHER);
    expect(await listTaken('otra')).toEqual([]);
  });

  test('is not named if the other source has not been followed for three days', async () => {
    await pull(toCap());
    now_ms += 4 * 24 * 3_600_000;
    await pull(toCap(), OTHER);
    expect(await listTaken('otra')).toEqual([]);
  });

  test('does not keep more than a hundred senders', async () => {
    const many = Array.from({ length: 130 }, (_, at) => toCap({ sender: `s${at}.mx`, area: '' }));
    await pull(toFeed(...many));
    const { senders = {} } = (await getSourceState(inbox, 'foro')) ?? {};
    expect(Object.keys(senders).length).toBe(100);
  });
});
