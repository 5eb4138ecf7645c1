// Desk notices: creates, lists and closes the notices of the inbox: written by editors, or imported
// from alert sources.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { refusal } from '../domain/app-error.ts';
import { formatTimestamp, parseDay } from '../domain/local-time.ts';
import { type Actor, isNoticeEnd } from '../domain/change.ts';
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { computeSpan } from '../domain/event/occurrences.ts';
import { byLang } from '../domain/lang.ts';
import { loadAppliedChanges } from '../inbox/applied-changes.ts';
import { getCurrentChange, type NewChange } from '../inbox/changes.ts';
import type { Inbox } from '../inbox/open.ts';
import { type NoticeFile, NoticeSchema } from '../sources/content-schema.ts';
import { deskNoticeId } from '../sources/inbox/merge-inbox.ts';
import { applyEditorChange } from './decisions.ts';
import { buildSchedule } from './publication.ts';

/**
 * Parses the notice form. Without a start, the notice begins now; without an end, it lasts until an
 * editor closes it.
 * @returns The notice, or the names of the invalid controls.
 */
export function parseNoticeForm(fields: Readonly<Record<string, string>>, now_ms: number) {
  const line = (name: string): string => cleanLine(fields[name] ?? '');
  const optionalField = (name: string) => (line(name) === '' ? {} : { [name]: line(name) });
  const [today = '', hour = ''] = formatMinute(now_ms).split('T');
  const start_day = line('start_date') || today;
  const start = `${start_day}T${line('start_time') || hour}`;
  const is_open = line('end_date') === '' && line('end_time') === '';
  const end_day = line('end_date') || start_day;
  const end = is_open ? null : `${end_day}T${line('end_time') || '23:59'}`;
  if (parseDay(start_day) === null) return { notice: null, invalid_controls: ['start_date'] };
  if (end !== null && (parseDay(end_day) === null || end <= start))
    return { notice: null, invalid_controls: ['end_date'] };
  const url = line('source_url');
  const provenance = url ? { url } : { name: line('source') || 'review desk' };
  const { success, output, issues } = v.safeParse(NoticeSchema, {
    type: line('type'),
    severity: line('severity'),
    title: byLang((lang) => line(`title_${lang}`)),
    body: byLang((lang) => cleanText(fields[`body_${lang}`] ?? '')),
    open: is_open,
    when: [buildSchedule({ start, end, all_day: false, dates: [] })],
    ...optionalField('zone'),
    ...optionalField('source'),
    ...optionalField('source_url'),
    sources: [{ ...provenance, checked: today }],
    confidence: 'medium',
  });
  return success
    ? { notice: output, invalid_controls: [] }
    : {
        notice: null,
        invalid_controls: issues.map((issue) => controlNameOfPath(v.getDotPath(issue) ?? '')),
      };
}

/** Returns the form control of a field: `title.es` becomes `title_es`. */
const controlNameOfPath = (path: string): string =>
  path
    .replace('.', '_')
    .replace(/^when.*start$/, 'start_time')
    .replace(/^when.*end$/, 'end_time')
    .replace(/^sources.*/, 'source_url');

/**
 * Builds the change that publishes a notice (`thing`: its id), or removes it if the record is null.
 */
const noticeChange = (thing: string, record: object | null) =>
  ({ kind: 'notice', thing, asks: 'publish', record }) as const;

/**
 * Stores the notice of a form. Returns the names of the invalid controls, empty if it was stored.
 */
export async function createNotice(
  inbox: Inbox,
  actor: Actor,
  fields: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { notice, invalid_controls } = parseNoticeForm(fields, actor.now_ms);
  const id = `notice-${randomBytes(6).toString('hex')}`;
  if (notice !== null)
    await applyEditorChange(inbox, { ...actor, action: 'write_notice' }, noticeChange(id, notice));
  return invalid_controls;
}

/**
 * Returns the start and end of a notice as local time, YYYY-MM-DDTHH:MM; the end is null while the
 * notice is `open`, that is, without an end.
 */
export function getNoticePeriod({ when: [schedule], open }: NoticeFile) {
  const day = parseDay(schedule?.dates?.[0] ?? '');
  if (schedule === undefined || day === null) throw new Error('a notice in the inbox has no day');
  const { start_ms, end_ms } = computeSpan(schedule, day);
  return { start: formatMinute(start_ms), end: open ? null : formatMinute(end_ms) };
}

/** Returns the notice with this end. One that begins later would begin just before it. */
export function endNoticeAt(notice: NoticeFile, end_ms: number): NoticeFile {
  const [last_minute = '', end = ''] = [end_ms - 60_000, end_ms].map(formatMinute);
  const [start = ''] = [getNoticePeriod(notice).start, last_minute].sort();
  return {
    ...notice,
    open: false,
    when: [buildSchedule({ start, end, all_day: false, dates: [] })],
  };
}

/** Formats a local time as YYYY-MM-DDTHH:MM. */
const formatMinute = (ms: number): string => formatTimestamp(ms).slice(0, 16);

/** Checks if a notice has ended; an open one never has ('9' sorts after all times). */
export const isNoticeOver = (notice: NoticeFile, now_ms: number): boolean =>
  (getNoticePeriod(notice).end ?? '9') <= formatMinute(now_ms);

/** Ends a notice now, or removes it if it has not begun. `door`: the channel of the change. */
export const closeNotice = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  door: NewChange['door'] = 'desk',
): Promise<void> =>
  inbox.transaction(async () => {
    const notice = (await listDeskNotices(inbox)).find((item) => item.id === id)?.notice;
    // Closing a notice again must not move its end.
    if (notice === undefined || isNoticeOver(notice, actor.now_ms)) throw refusal('no_such_notice');
    const has_begun = getNoticePeriod(notice).start < formatMinute(actor.now_ms);
    const record = has_begun ? endNoticeAt(notice, actor.now_ms) : null;
    await applyEditorChange(
      inbox,
      { ...actor, action: 'close_notice' },
      { ...noticeChange(id, record), door },
    );
  });

/** Returns the alert (a notice from a followed source) with this reference, or null. */
export async function getAlert(inbox: Inbox, reference: string) {
  const change = await getCurrentChange(inbox, reference);
  const notice = parseStoredNotice(change?.record);
  if (change?.maker !== 'editor' || notice === null) return null;
  const is_end = isNoticeEnd(change);
  return { ...change, reference, notice, notice_id: deskNoticeId(change.thing), is_end };
}
export type SourceAlert = NonNullable<Awaited<ReturnType<typeof getAlert>>>;

/** Parses a stored notice. @returns null if its schema is unknown to this version. */
export function parseStoredNotice(record: unknown): NoticeFile | null {
  const { success, output } = v.safeParse(NoticeSchema, record);
  return success ? output : null;
}

/** Lists the applied notices that this version can parse; the desk edits them by `thing`. */
export const listDeskNotices = async (inbox: Inbox) =>
  (await loadAppliedChanges(inbox)).notices.flatMap(({ id, record }) => {
    const notice = parseStoredNotice(record);
    return notice === null ? [] : [{ id, thing: deskNoticeId(id), notice }];
  });
