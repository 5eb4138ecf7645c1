// A notice written at the desk, as a notice file; and how one is closed.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { refusal } from '../domain/app-error.ts';
import { formatTimestamp, parseDay } from '../domain/local-time.ts';
import type { Actor } from '../domain/change.ts';
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
 * The notice of a sent form, begun now where no start is given, open until somebody closes it where no end is; or the
 * controls that are wrong.
 */
export function parseNoticeForm(fields: Readonly<Record<string, string>>, now_ms: number) {
  const line = (name: string): string => cleanLine(fields[name] ?? '');
  const given = (name: string) => (line(name) === '' ? {} : { [name]: line(name) });
  const [today = '', hour = ''] = formatTimestamp(now_ms).slice(0, 16).split('T');
  const start_day = line('start_date') || today;
  const start = `${start_day}T${line('start_time') || hour}`;
  const open = line('end_date') === '' && line('end_time') === '';
  const end_day = line('end_date') || start_day;
  const end = open ? null : `${end_day}T${line('end_time') || '23:59'}`;
  if (parseDay(start_day) === null) return { notice: null, wrong: ['start_date'] };
  if (end !== null && (parseDay(end_day) === null || end <= start))
    return { notice: null, wrong: ['end_date'] };
  const url = line('source_url');
  const origin = url ? { url } : { name: line('source') || 'review desk' };
  const { success, output, issues } = v.safeParse(NoticeSchema, {
    type: line('type'),
    severity: line('severity'),
    title: byLang((lang) => line(`title_${lang}`)),
    body: byLang((lang) => cleanText(fields[`body_${lang}`] ?? '')),
    open,
    when: [buildSchedule({ start, end, all_day: false, dates: [] })],
    ...given('zone'),
    ...given('source'),
    ...given('source_url'),
    sources: [{ ...origin, checked: today }],
    confidence: 'medium',
  });
  return success
    ? { notice: output, wrong: [] }
    : { notice: null, wrong: issues.map((issue) => toControl(v.getDotPath(issue) ?? '')) };
}

const toControl = (path: string): string =>
  path
    .replace('.', '_')
    .replace(/^when.*start$/, 'start_time')
    .replace(/^when.*end$/, 'end_time')
    .replace(/^sources.*/, 'source_url');

const toOwn = (thing: string, record: object | null) =>
  ({ kind: 'notice', thing, asks: 'publish', record }) as const;

/** Writes the notice of a sent form; gives the controls that are wrong, none where it is stored. */
export async function createNotice(
  inbox: Inbox,
  actor: Actor,
  fields: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { notice, wrong } = parseNoticeForm(fields, actor.now_ms);
  const id = `notice-${randomBytes(6).toString('hex')}`;
  if (notice !== null)
    await applyEditorChange(inbox, { ...actor, action: 'write_notice' }, toOwn(id, notice));
  return wrong;
}

/** When a notice of the inbox begins and ends, by the minute; its end is null until somebody closes it. */
export function getNoticePeriod({ when: [when], open }: NoticeFile) {
  const day = parseDay(when?.dates?.[0] ?? '');
  if (when === undefined || day === null) throw new Error('a notice of the inbox has a day');
  const { start_ms, end_ms } = computeSpan(when, day);
  const toMinute = (ms: number): string => formatTimestamp(ms).slice(0, 16);
  return { start: toMinute(start_ms), end: open ? null : toMinute(end_ms) };
}

export const isNoticeOver = (notice: NoticeFile, now_ms: number): boolean =>
  (getNoticePeriod(notice).end ?? '9') <= formatTimestamp(now_ms).slice(0, 16);

/** Ends a notice now; one that has not begun goes. */
export const closeNotice = (
  inbox: Inbox,
  actor: Actor,
  id: string,
  door: NewChange['door'] = 'desk',
): Promise<void> =>
  inbox.transaction(async () => {
    const notice = (await listDeskNotices(inbox)).find((one) => one.id === id)?.notice;
    // It must not last longer because somebody presses the button again.
    if (notice === undefined || isNoticeOver(notice, actor.now_ms)) throw refusal('no_such_notice');
    const { start } = getNoticePeriod(notice);
    const end = formatTimestamp(actor.now_ms).slice(0, 16);
    const ended = buildSchedule({ start, end, all_day: false, dates: [] });
    const record = start < end ? { ...notice, open: false, when: [ended] } : null;
    await applyEditorChange(
      inbox,
      { ...actor, action: 'close_notice' },
      { ...toOwn(id, record), door },
    );
  });

/** The alert of a source under a reference, and the id of its notice; null for none. */
export async function getAlert(inbox: Inbox, reference: string) {
  const change = await getCurrentChange(inbox, reference);
  const notice = parseStoredNotice(change?.record);
  if (change?.maker !== 'editor' || notice === null) return null;
  return { ...change, reference, notice, notice_id: deskNoticeId(change.thing) };
}
export type SourceAlert = NonNullable<Awaited<ReturnType<typeof getAlert>>>;

/** A record of the inbox as a notice; null for none that this version knows. */
export function parseStoredNotice(record: unknown): NoticeFile | null {
  const { success, output } = v.safeParse(NoticeSchema, record);
  return success ? output : null;
}

/** The notices of the inbox that this version knows; `thing`: as what each can be edited. */
export const listDeskNotices = async (inbox: Inbox) =>
  (await loadAppliedChanges(inbox)).notices.flatMap(({ id, record }) => {
    const notice = parseStoredNotice(record);
    return notice === null ? [] : [{ id, thing: deskNoticeId(id), notice }];
  });
