// A notice written at the desk, as a notice file; and how one is closed.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { formatTimestamp, parseDay, toCancun } from '../domain/cancun-time.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import type { Actor } from '../domain/change.ts';
import { byLang, LANGS, type Lang } from '../domain/lang.ts';
import type { PublicationIssue } from '../domain/submission/additions.ts';
import { readApplied } from '../inbox/applied.ts';
import type { Inbox } from '../inbox/open.ts';
import { decide, endOwn, insertOwn, type NewDecision } from './decide.ts';
import { toWhen } from './publication.ts';
import { refusal } from '../domain/app-error.ts';
import { type NoticeFile, NoticeSchema } from '../sources/content-schema.ts';
import { toDeskNoticeId } from '../sources/inbox/merge-inbox.ts';

const toTextName = <T extends 'title' | 'body', L extends Lang>(text: T, lang: L): `${T}_${L}` =>
  `${text}_${lang}`;

/** The controls of the texts, one for each language: `title_es`, …, `body_en`. */
export const NOTICE_TEXTS = (['title', 'body'] as const).flatMap((text) =>
  LANGS.map((lang) => ({ name: toTextName(text, lang), text, lang })),
);

/** The controls of the form; an empty end leaves it open until somebody closes it. */
export const NOTICE_FIELDS = [
  'type',
  'severity',
  ...NOTICE_TEXTS.map(({ name }) => name),
  'zone',
  'start_date',
  'start_time',
  'end_date',
  'end_time',
  'source',
  'source_url',
] as const;

export type NoticeReading =
  | { readonly notice: NoticeFile; readonly issues: readonly [] }
  | { readonly notice: null; readonly issues: readonly PublicationIssue[] };

const toIssue = (field: string, message: string): PublicationIssue => ({
  field,
  rule: 'invalid',
  message,
});

/** The notice of a sent form, begun now where no start is given; or its issues by control. */
export function toDeskNotice(
  fields: Readonly<Record<string, string>>,
  now_ms: number,
): NoticeReading {
  const line = (name: (typeof NOTICE_FIELDS)[number]): string => toCleanLine(fields[name] ?? '');
  const now = formatTimestamp(now_ms);
  const start = `${line('start_date') || now.slice(0, 10)}T${line('start_time') || now.slice(11, 16)}`;
  const [end_day, end_hour] = [line('end_date'), line('end_time')];
  const open = end_day === '' && end_hour === '';
  const end = open ? null : `${end_day || start.slice(0, 10)}T${end_hour || '23:59'}`;
  if (parseDay(start.slice(0, 10)) === null)
    return { notice: null, issues: [toIssue('start_date', 'must be a day that exists')] };
  if (end !== null && (parseDay(end.slice(0, 10)) === null || end <= start))
    return { notice: null, issues: [toIssue('end_date', 'must be after the start')] };
  const [zone, source, source_url] = [line('zone'), line('source'), line('source_url')];
  const origin = source_url ? { url: source_url } : { name: source || 'review desk' };
  const result = v.safeParse(NoticeSchema, {
    type: line('type'),
    severity: line('severity'),
    title: byLang((lang) => line(toTextName('title', lang))),
    body: byLang((lang) => toCleanText(fields[toTextName('body', lang)] ?? '')),
    ...(zone ? { zone } : {}),
    open,
    when: [toWhen({ start, end, all_day: false, dates: [] })],
    ...(source ? { source } : {}),
    ...(source_url ? { source_url } : {}),
    sources: [{ ...origin, checked: now.slice(0, 10) }],
    confidence: 'medium',
  });
  if (result.success) return { notice: result.output, issues: [] };
  const issues = result.issues.map((issue) =>
    toIssue(toControl(v.getDotPath(issue) ?? ''), issue.message),
  );
  return { notice: null, issues };
}

const toControl = (path: string): string =>
  path
    .replace('.', '_')
    .replace(/^when.*start$/, 'start_time')
    .replace(/^when.*end$/, 'end_time')
    .replace(/^sources.*/, 'source_url');

/** The notice ended now; null where it has not begun, and so is nothing to store. */
export function closeDeskNotice(notice: NoticeFile, now_ms: number): NoticeFile | null {
  const [when] = notice.when;
  const day = when?.dates?.[0];
  if (!when || day === undefined) return null;
  const start = `${day}T${when.start ?? '00:00'}`;
  const end = toCancun(now_ms).toPlainDateTime().toString({ smallestUnit: 'minute' });
  return end <= start
    ? null
    : { ...notice, open: false, when: [toWhen({ start, end, all_day: false, dates: [] })] };
}

/** Writes the notice of a sent form; gives its issues by control, none where it is stored. */
export async function writeNotice(
  inbox: Inbox,
  actor: Actor,
  fields: Readonly<Record<string, string>>,
): Promise<readonly PublicationIssue[]> {
  const { notice, issues } = toDeskNotice(fields, actor.now_ms);
  const id = `notice-${randomBytes(6).toString('hex')}`;
  if (notice !== null) await recordNotice(inbox, { ...actor, action: 'write_notice' }, id, notice);
  return issues;
}

/** Ends an open notice now. */
export const closeNotice = (inbox: Inbox, actor: Actor, id: string): Promise<void> =>
  inbox.transaction(async () => {
    const notice = (await listNotices(inbox)).find((one) => one.id === id)?.notice;
    // It must not last longer because somebody presses the button again.
    if (!notice?.open) throw refusal('no_such_notice');
    const closed = closeDeskNotice(notice, actor.now_ms);
    await recordNotice(inbox, { ...actor, action: 'close_notice' }, id, closed);
  });

/** Says a notice, in the place of what it said; null takes it away. Logged. */
export async function recordNotice(
  inbox: Inbox,
  decision: Omit<NewDecision, 'subject'>,
  thing: string,
  record: object | null,
): Promise<void> {
  const own = { kind: 'notice', thing, asks: 'publish' } as const;
  await decide(inbox, { ...decision, subject: thing }, () =>
    record === null ? endOwn(inbox, own) : insertOwn(inbox, { ...own, record }, decision.now_ms),
  );
}

/** As what a notice of the desk can be edited. */
export const toNoticeId = (id: string): string => toDeskNoticeId(id);

/** The notices of the inbox that this version knows. */
export async function listNotices(inbox: Inbox) {
  return (await readApplied(inbox)).notices.flatMap(({ id, record }) => {
    const result = v.safeParse(NoticeSchema, record);
    return result.success ? [{ id, notice: result.output }] : [];
  });
}
