// Alerts of a source that is followed: each that holds here and now is a notice, known by its sender and number and by
// those that it follows. What is grave goes out at once, the rest waits; what is called off ends at once; all of it is
// decided in the name of the source and undoable (contract 14.40).
import * as v from 'valibot';
import { formatTimestamp } from '../domain/local-time.ts';
import type { Actor, Change } from '../domain/change.ts';
import type { Point } from '../domain/distance.ts';
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
  parseAlerts,
} from '../sources/external/parse-cap.ts';
import { cleanExternalLine, cleanExternalText } from '../sources/external/clean-external-text.ts';
import type { FollowedSource } from '../sources/followed-sources.ts';
import { deskNoticeId } from '../sources/inbox/merge-inbox.ts';
import { MAX_LENGTHS, urlSchema } from '../sources/content-field-schemas.ts';
import type { DeskContext } from './reference-data.ts';
import { closeNotice, isNoticeOver, parseStoredNotice, getNoticePeriod } from './desk-notices.ts';
import { allocateReference } from './submissions.ts';
import { buildSchedule } from './publication.ts';
import { applyVerdict } from './review.ts';
import { revertOverride } from './record-overrides.ts';

/** Said in the log. */
const CALLED_OFF = 'Su fuente la canceló, o ya no es para aquí.';

/** By none of these, nothing goes out. */
const LEVELS: readonly string[] = SEVERITIES;
/** No alert lasts so long. */
const FAR_MS = 300 * 24 * 3_600_000;
/** What without an end is older than this is over. */
const ENDLESS_MS = 48 * 3_600_000;

/** The alerts of a file, each with the notice that it makes here, or why it makes none. */
export function evaluateAlerts(
  { snapshot, now_ms }: Omit<DeskContext, 'inbox'>,
  source: FollowedSource,
  bytes: Buffer,
) {
  const read = parseAlerts(bytes, source.lang);
  if ('problem' in read) return read;
  // Where our zones are: their middles and their places.
  const middles = snapshot.taxonomy.zones.map(({ key: zone, middle }) => ({ zone, ...middle }));
  const places = [...middles, ...listVenues(snapshot)];
  const points = places.flatMap(({ zone, lat, lng }) =>
    zone && lat && lng ? [{ zone, lat, lng }] : [],
  );
  const toJudged = (alert: CapAlert) => ({
    ...alert,
    says: toNotice(source, alert, points, now_ms),
  });
  return { ...read, alerts: read.alerts.map(toJudged) };
}
type EvaluatedAlerts = Exclude<ReturnType<typeof evaluateAlerts>, { problem: unknown }>;

function toNotice(
  source: FollowedSource,
  { infos, sent_ms }: CapAlert,
  points: readonly (Point & { readonly zone: string })[],
  now_ms: number,
) {
  const isHere = (area: CapInfo['areas'][number]): boolean =>
    isAreaNamed(area, source.areas) || points.some((at) => isPointInArea(area, at));
  const here = infos.filter(({ areas }) => areas.some(isHere));
  if (here.length === 0) return 'outside';
  const on = here.filter(({ end_ms }) => (end_ms ?? sent_ms + ENDLESS_MS) > now_ms);
  if (on.length === 0) return 'expired';
  const gravest = (some: readonly CapInfo[]) =>
    some.toSorted((a, b) => LEVELS.indexOf(a.severity) - LEVELS.indexOf(b.severity))[0];
  const said = byLang((lang) => gravest(on.filter((info) => info.lang === lang)));
  const info = said[DEFAULT_LANG] ?? said.es ?? said.en;
  if (info === undefined) return 'unread';
  const written = LANGS.filter((lang) => said[lang] !== undefined);
  const zones = new Set(
    points
      .filter((at) => info.areas.some((area) => isPointInArea(area, at)))
      .map(({ zone }) => zone),
  );
  const toLocal = (ms: number): string => formatTimestamp(ms).slice(0, 16);
  const [published, checked] = [sent_ms, now_ms].map((ms) => toLocal(ms).slice(0, 10));
  const { type, severity } = info;
  // A moment far away is that of no alert; what begins behind the end of its alert is told from when it was sent.
  const isNear = (ms: number): boolean => Math.abs(ms - sent_ms) < FAR_MS;
  const end_ms = info.end_ms !== null && isNear(info.end_ms) ? info.end_ms : null;
  const is_start = isNear(info.start_ms) && info.start_ms < (end_ms ?? Infinity);
  const start = toLocal(is_start ? info.start_ms : sent_ms);
  const end = end_ms === null ? null : toLocal(end_ms);
  const { success, output } = v.safeParse(NoticeSchema, {
    ...{ type, severity },
    title: byLang((lang) => cleanExternalLine((said[lang] ?? info).title, MAX_LENGTHS.title).text),
    body: byLang((lang) => cleanExternalText((said[lang] ?? info).body, MAX_LENGTHS.text).text),
    ...(written.length === 1 && { written_in: written[0] }),
    ...(zones.size === 1 && { zone: [...zones][0] }),
    open: end === null,
    when: [buildSchedule({ start, end, all_day: false, dates: [] })],
    bulletin: published,
    source: cleanExternalLine(info.source || source.name, MAX_LENGTHS.name).text,
    ...(v.is(urlSchema, info.url) && { source_url: info.url }),
    sources: [{ url: source.url, published, checked }],
    confidence: 'medium',
  });
  return success ? output : 'unread';
}

/** Takes in what is new of a reading; gives how many came how. */
export async function importAlerts(
  desk: DeskContext,
  source: FollowedSource,
  { alerts, ignored }: EvaluatedAlerts,
) {
  const counts: Record<string, number> = { ...ignored };
  const came = await Array.fromAsync(alerts, (alert) => take(desk, source, alert));
  for (const name of came.flat()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function take(
  { inbox, now_ms }: DeskContext,
  source: FollowedSource,
  { uid, follows, says, is_cancel }: EvaluatedAlerts['alerts'][number],
): Promise<readonly string[]> {
  const actor = { editor: `source:${source.key}`, now_ms };
  const read = await listAlerts(inbox, 'uid', uid);
  if (read.length + (await listAlerts(inbox, 'uid_digest', uid)).length > 0) return ['known'];
  const before = await findBefore(inbox, follows);
  if (typeof says === 'string' || is_cancel) {
    if (before === null) return [typeof says === 'string' ? says : 'expired'];
    // It is read once: whoever takes the end back is not overruled.
    await updateChange(inbox, before.id, { uid_digest: uid });
    await end(inbox, actor, before);
    return ['cancelled'];
  }
  const was = before?.state === 'applied' ? parseStoredNotice(before.record) : null;
  // What a person has closed or taken back is not told again without one.
  const is_taken = before?.state === 'undone' || (was !== null && before?.uid === null);
  const is_grave = LEVELS.indexOf(source.publish_from) >= LEVELS.indexOf(says.severity);
  const reference = before?.reference ?? (await allocateReference(inbox, sha256Hex(uid)));
  const looked = { reference, revision: (before?.revision ?? 0) + 1 };
  await insertChange(inbox, {
    ...{ ...looked, uid, kind: 'notice', asks: 'publish', maker: 'editor', door: 'source' },
    ...{ state: 'waiting', at: formatTimestamp(now_ms), title: says.title[DEFAULT_LANG] },
    thing: before?.thing ?? `alert-${uid}`,
    record: was === null ? says : keepStart(was, says, now_ms),
  });
  if (before?.state === 'waiting') await updateChange(inbox, before.id, { state: 'replaced' });
  const goes_out = !is_taken && (was !== null || (is_grave && !says.open));
  if (goes_out) await applyVerdict(inbox, actor, 'approve', reference, [looked]);
  return [before === null ? 'new' : 'changed', ...(goes_out ? ['published'] : [])];
}

const listAlerts = (inbox: Inbox, column: 'uid' | 'uid_digest' | 'thing', value: string) =>
  listChanges(inbox, (query) =>
    query.where('kind', '=', 'notice').where(column, '=', value).orderBy('id', 'desc'),
  );

/** How the notice stands that one of these made: as it is published, else the newest of it. */
async function findBefore(inbox: Inbox, follows: readonly string[]): Promise<Change | null> {
  const named = await Array.fromAsync(follows, (uid) => listAlerts(inbox, 'uid', uid));
  const [first] = named.flat();
  if (!first?.thing) return null;
  const all = (await listAlerts(inbox, 'thing', first.thing)).filter(
    ({ asks }) => asks === 'publish',
  );
  return all.find(({ state }) => state === 'applied') ?? all[0] ?? null;
}

/** What has begun goes on from when it began. */
function keepStart(was: NoticeFile, says: NoticeFile, now_ms: number): NoticeFile {
  const [{ start }, { end }] = [getNoticePeriod(was), getNoticePeriod(says)];
  const has_begun = start <= formatTimestamp(now_ms);
  return has_begun
    ? { ...says, when: [buildSchedule({ start, end, all_day: false, dates: [] })] }
    : says;
}

/** At once: a draft goes, what is published ends now, also over what the desk says. */
async function end(inbox: Inbox, actor: Actor, before: Change): Promise<void> {
  const { thing, state, reference, revision, record } = before;
  if (state === 'waiting' && reference !== null)
    await applyVerdict(inbox, actor, 'dismiss', reference, [{ reference, revision }], CALLED_OFF);
  const notice = state === 'applied' ? parseStoredNotice(record) : null;
  if (notice === null || thing === null || isNoticeOver(notice, actor.now_ms)) return;
  const shown = deskNoticeId(thing);
  if ((await loadAppliedChanges(inbox, shown)).edits.length > 0)
    await revertOverride(inbox, actor, shown);
  await closeNotice(inbox, actor, thing, 'source');
}
