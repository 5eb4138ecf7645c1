// Alert import: turns the alerts of a followed source (Common Alerting Protocol, CAP) that apply to
// the town now into notices. An alert, its updates and its cancellation are published at once if the
// source may publish its severity, otherwise they go to the review queue; editors can undo each. An
// alert belongs to its source and sender: no other one can update, cancel or suppress it (contract
// 14.51, 14.54).
import * as v from 'valibot';
import { formatTimestamp } from '../domain/local-time.ts';
import type { Actor, Change } from '../domain/change.ts';
import type { Point } from '../domain/distance.ts';
import { cleanLine } from '../domain/clean-text.ts';
import { byLang, DEFAULT_LANG, LANGS } from '../domain/lang.ts';
import { SEVERITIES } from '../domain/notice.ts';
import { loadAppliedChanges } from '../inbox/applied-changes.ts';
import { insertChange, listChanges, updateChange } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { sha256Hex } from '../inbox/secrets.ts';
import { listVenues } from '../snapshot/list-records.ts';
import { type NoticeFile, NoticeSchema } from '../sources/content-schema.ts';
import {
  type CapAlert,
  type CapInfo,
  isPointInArea,
  isAreaNamed,
} from '../sources/external/parse-cap.ts';
import { parseInWorker } from '../sources/external/parse-in-worker.ts';
import { cleanExternalLine, cleanExternalText } from '../sources/external/clean-external-text.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';
import { deskNoticeId } from '../sources/inbox/merge-inbox.ts';
import { MAX_LENGTHS, urlSchema } from '../sources/content-field-schemas.ts';
import type { DeskContext } from './reference-data.ts';
import {
  closeNotice,
  endNoticeAt,
  getNoticePeriod,
  isNoticeOver,
  parseStoredNotice,
} from './desk-notices.ts';
import { allocateReference } from './submissions.ts';
import { buildSchedule } from './publication.ts';
import { applyVerdict } from './review.ts';
import { revertOverride } from './record-overrides.ts';

/** Reason in the decision log: the source cancelled the alert, or it applies elsewhere now. */
const CANCELLED_REASON = 'Su fuente la canceló, o ya no es para aquí.';

/**
 * Most severe first. A source whose `publish_from` is not among them publishes nothing without
 * review.
 */
const SEVERITY_ORDER: readonly string[] = SEVERITIES;
/** Starts and ends that differ more than this from the time of sending are ignored as errors. */
const MAX_DISTANCE_MS = 300 * 24 * 3_600_000;
/** An alert without an end expires after this time. */
const DEFAULT_DURATION_MS = 48 * 3_600_000;

/** Parses the alerts of a file, each with its notice for the town or the reason why it has none. */
export async function evaluateAlerts(
  { snapshot, now_ms }: Omit<DeskContext, 'inbox'>,
  source: FollowedSource,
  bytes: Buffer,
) {
  const result = await parseInWorker('parseAlerts', bytes, source.lang);
  if ('problem' in result) return result;
  // Zones have no borders: an area covers a zone if it contains the zone's center or one of its
  // venues.
  const centers = snapshot.taxonomy.zones.map(({ key, middle }) => ({ zone: key, ...middle }));
  const locations = [...centers, ...listVenues(snapshot)];
  const points = locations.flatMap(({ zone, lat, lng }) =>
    zone && lat && lng ? [{ zone, lat, lng }] : [],
  );
  const identify = (uid: string) => `${source.key}:${uid}`;
  const alerts = result.alerts.map((alert) => ({
    ...alert,
    uid: identify(alert.uid),
    follows: alert.follows.map(identify),
    notice: buildNotice(source, alert, points, now_ms),
  }));
  return { ...result, alerts };
}
type EvaluatedAlerts = Exclude<Awaited<ReturnType<typeof evaluateAlerts>>, { problem: unknown }>;

/**
 * Returns the notice of an alert, or the reason why it has none: `outside` the town, `expired`, or
 * `unread`, that is, invalid. An alert has one info (CAP's `info` element) per language and
 * severity.
 */
function buildNotice(
  source: FollowedSource,
  { infos, sent_ms }: CapAlert,
  points: readonly (Point & { readonly zone: string })[],
  now_ms: number,
) {
  const isLocal = (area: CapInfo['areas'][number]): boolean =>
    isAreaNamed(area, source.areas) || points.some((point) => isPointInArea(area, point));
  const local_infos = infos.filter(({ areas }) => areas.some(isLocal));
  if (local_infos.length === 0) return 'outside';
  const current = local_infos.filter(
    ({ end_ms }) => (end_ms ?? sent_ms + DEFAULT_DURATION_MS) > now_ms,
  );
  if (current.length === 0) return 'expired';
  const findMostSevere = (candidates: readonly CapInfo[]) =>
    candidates.toSorted(
      (a, b) => SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity),
    )[0];
  const info_by_lang = byLang((lang) =>
    findMostSevere(current.filter((candidate) => candidate.lang === lang)),
  );
  const info = info_by_lang[DEFAULT_LANG] ?? info_by_lang.es ?? info_by_lang.en;
  if (info === undefined) return 'unread';
  const written_langs = LANGS.filter((lang) => info_by_lang[lang] !== undefined);
  const zones = new Set(
    points
      .filter((point) => info.areas.some((area) => isPointInArea(area, point)))
      .map(({ zone }) => zone),
  );
  const [published_on, checked_on] = [sent_ms, now_ms].map((ms) => formatMinute(ms).slice(0, 10));
  const { type, severity } = info;
  const { start, end } = computePeriod(info, sent_ms);
  const { success, output } = v.safeParse(NoticeSchema, {
    ...{ type, severity },
    title: byLang(
      (lang) => cleanExternalLine((info_by_lang[lang] ?? info).title, MAX_LENGTHS.title).text,
    ),
    body: byLang(
      (lang) => cleanExternalText((info_by_lang[lang] ?? info).body, MAX_LENGTHS.text).text,
    ),
    ...(written_langs.length === 1 && { written_in: written_langs[0] }),
    ...(zones.size === 1 && { zone: [...zones][0] }),
    open: end === null,
    when: [buildSchedule({ start, end, all_day: false, dates: [] })],
    bulletin: published_on,
    source: cleanExternalLine(info.source || source.name, MAX_LENGTHS.name).text,
    ...(v.is(urlSchema, info.url) && { source_url: info.url }),
    sources: [{ url: source.url, published: published_on, checked: checked_on }],
    confidence: 'medium',
  });
  return success ? output : 'unread';
}

/** Formats a local time as YYYY-MM-DDTHH:MM. */
const formatMinute = (ms: number): string => formatTimestamp(ms).slice(0, 16);

/** Drops an implausible end; replaces an implausible or later start by the time of sending. */
function computePeriod(info: CapInfo, sent_ms: number) {
  const isPlausible = (ms: number): boolean => Math.abs(ms - sent_ms) < MAX_DISTANCE_MS;
  const end_ms = info.end_ms !== null && isPlausible(info.end_ms) ? info.end_ms : null;
  const has_valid_start = isPlausible(info.start_ms) && info.start_ms < (end_ms ?? Infinity);
  return {
    start: formatMinute(has_valid_start ? info.start_ms : sent_ms),
    end: end_ms === null ? null : formatMinute(end_ms),
  };
}

/** Maximum characters of a sender at the desk. */
const MAX_SENDER_LENGTH = 100;

/** Lists the senders of the alerts of a reading, in lower case and cleaned for display. */
export const listSenders = ({ alerts }: EvaluatedAlerts): readonly string[] => [
  ...new Set(
    alerts.map(({ sender }) => cleanLine(sender.slice(0, MAX_SENDER_LENGTH)).toLowerCase()),
  ),
];

/** Imports the new alerts of a reading. Returns the number of alerts for each result. */
export async function importAlerts(
  desk: DeskContext,
  source: FollowedSource,
  { alerts, ignored }: EvaluatedAlerts,
) {
  const counts: Record<string, number> = { ...ignored };
  const results = await Array.fromAsync(alerts, (alert) => importAlert(desk, source, alert));
  for (const name of results.flat()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/**
 * Imports one alert of a source. `uid` identifies it, `follows` the earlier alerts that it updates.
 * @returns The results to count for it: `known`, `new`, `changed`, `published`, `cancelled`, or the
 * reason why it has no notice.
 */
async function importAlert(
  { inbox, now_ms }: DeskContext,
  source: FollowedSource,
  { uid, follows, notice, is_cancel }: EvaluatedAlerts['alerts'][number],
): Promise<readonly string[]> {
  const actor = { editor: `source:${source.key}`, now_ms };
  const imported = await listAlerts(inbox, 'uid', uid);
  // `uid_digest`: the alert that ended the notice.
  const ended = await listAlerts(inbox, 'uid_digest', uid);
  if (imported.length + ended.length > 0) return ['known'];
  const versions = await listVersions(inbox, follows);
  const before = versions.find(({ state }) => state === 'applied') ?? versions[0] ?? null;
  const pending = versions.find(({ state }) => state === 'waiting') ?? null;
  const published = before?.state === 'applied' ? parseStoredNotice(before.record) : null;
  // A source that may publish one of the versions may also soften or end it.
  const may_change = versions.some(
    ({ state, record }) =>
      (state === 'applied' || state === 'replaced') &&
      mayPublish(source, parseStoredNotice(record)),
  );
  const reference = before?.reference ?? (await allocateReference(inbox, sha256Hex(uid)));
  const reviewed = { reference, revision: Math.max(0, ...versions.map((one) => one.revision)) + 1 };
  const insertPending = async (record: NoticeFile, ids: Pick<Change, 'uid' | 'uid_digest'>) => {
    await insertChange(inbox, {
      ...{ ...reviewed, ...ids, kind: 'notice', asks: 'publish', maker: 'editor', door: 'source' },
      ...{ state: 'waiting', at: formatTimestamp(now_ms), title: record.title[DEFAULT_LANG] },
      thing: before?.thing ?? `alert-${uid}`,
      record,
    });
    if (pending !== null) await updateChange(inbox, pending.id, { state: 'replaced' });
  };
  if (typeof notice === 'string' || is_cancel) {
    if (before === null) return [typeof notice === 'string' ? notice : 'expired'];
    if (published !== null && !isNoticeOver(published, now_ms) && !may_change) {
      await insertPending(endNoticeAt(published, now_ms), { uid: null, uid_digest: uid });
      return ['changed'];
    }
    // If an editor undoes the end, the next reading must not repeat it.
    await updateChange(inbox, before.id, { uid_digest: uid });
    if (pending !== null) await dismissAlert(inbox, actor, pending);
    if (published !== null) await endAlert(inbox, actor, before, published);
    return ['cancelled'];
  }
  // Closing a notice stores it again, without a UID.
  const was_closed = published !== null && before?.uid === null;
  const needs_editor = before?.state === 'undone' || was_closed;
  // `open`: the notice has no end.
  const may_be_first_published = mayPublish(source, notice) && !notice.open;
  const may_replace = published !== null && (may_change || mayPublish(source, notice));
  const can_publish = !needs_editor && (may_replace || may_be_first_published);
  const record = published === null ? notice : keepStart(published, notice, now_ms);
  await insertPending(record, { uid, uid_digest: null });
  if (can_publish) await applyVerdict(inbox, actor, 'approve', reference, [reviewed]);
  return [before === null ? 'new' : 'changed', ...(can_publish ? ['published'] : [])];
}

/** Checks if the source may publish a notice of this severity without review. */
const mayPublish = ({ publish_from }: FollowedSource, notice: NoticeFile | null): boolean =>
  notice !== null &&
  SEVERITY_ORDER.indexOf(publish_from) >= SEVERITY_ORDER.indexOf(notice.severity);

/** Lists the changes of notices with this value in a column, the newest first. */
const listAlerts = (inbox: Inbox, column: 'uid' | 'uid_digest' | 'thing', value: string) =>
  listChanges(inbox, (query) =>
    query.where('kind', '=', 'notice').where(column, '=', value).orderBy('id', 'desc'),
  );

/** Lists the versions of the notice that one of these UIDs belongs to, the newest first. */
async function listVersions(inbox: Inbox, follows: readonly string[]): Promise<readonly Change[]> {
  const matches = await Array.fromAsync(follows, (uid) => listAlerts(inbox, 'uid', uid));
  const [match] = matches.flat();
  const changes = match?.thing ? await listAlerts(inbox, 'thing', match.thing) : [];
  return changes.filter(({ asks }) => asks === 'publish');
}

/** Keeps the start of a notice that has begun. */
function keepStart(published: NoticeFile, updated: NoticeFile, now_ms: number): NoticeFile {
  const [{ start }, { end }] = [getNoticePeriod(published), getNoticePeriod(updated)];
  const has_begun = start <= formatTimestamp(now_ms);
  return has_begun
    ? { ...updated, when: [buildSchedule({ start, end, all_day: false, dates: [] })] }
    : updated;
}

/** Dismisses a pending alert. */
async function dismissAlert(inbox: Inbox, actor: Actor, { reference, revision }: Change) {
  if (reference === null) return;
  const reviewed = [{ reference, revision }];
  await applyVerdict(inbox, actor, 'dismiss', reference, reviewed, CANCELLED_REASON);
}

/** Ends a published notice now, reverting any override of it. */
async function endAlert(inbox: Inbox, actor: Actor, { thing }: Change, notice: NoticeFile) {
  if (thing === null || isNoticeOver(notice, actor.now_ms)) return;
  const notice_id = deskNoticeId(thing);
  if ((await loadAppliedChanges(inbox, notice_id)).edits.length > 0)
    await revertOverride(inbox, actor, notice_id);
  await closeNotice(inbox, actor, thing, 'source');
}
