// A notice written at the desk, as a notice file; and how one is closed.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp, parseDay, toCancun } from '../domain/cancun-time.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import type { Actor } from '../domain/decision.ts';
import { byLang, LANGS, type Lang } from '../domain/lang.ts';
import type { PublicationIssue } from '../domain/submission/additions.ts';
import { listDeskNotices } from '../inbox/applied.ts';
import type { Inbox } from '../inbox/open.ts';
import { type NoticeFile, NoticeSchema } from '../sources/content-schema.ts';
import { toDeskNoticeId } from '../sources/inbox/merge-inbox.ts';
import { decide, endOwn, insertOwn, type NewDecision } from './decide.ts';
import { toWhen } from './to-when.ts';

const TEXTS = ['title', 'body'] as const;
type NoticeText = (typeof TEXTS)[number];

/** The controls of the texts, one for each language: `title_es`, …, `body_en`. */
export const NOTICE_TEXTS = TEXTS.flatMap((text) =>
  LANGS.map((lang) => ({ name: toTextName(text, lang), text, lang })),
);

function toTextName<T extends NoticeText, L extends Lang>(text: T, lang: L): `${T}_${L}` {
  return `${text}_${lang}`;
}

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
type NoticeField = (typeof NOTICE_FIELDS)[number];

export type NoticeReading =
  | { readonly notice: NoticeFile; readonly issues: readonly [] }
  | { readonly notice: null; readonly issues: readonly PublicationIssue[] };

/** The notice of a sent form, begun now where no start is given; or its issues by control. */
export function toDeskNotice(
  fields: Readonly<Record<string, string>>,
  now_ms: number,
): NoticeReading {
  const line = (name: NoticeField): string => toCleanLine(fields[name] ?? '');
  const now = formatTimestamp(now_ms);
  const start = `${line('start_date') || now.slice(0, 10)}T${line('start_time') || now.slice(11, 16)}`;
  const [end_day, end_hour] = [line('end_date'), line('end_time')];
  const open = end_day === '' && end_hour === '';
  const end = open ? null : `${end_day || start.slice(0, 10)}T${end_hour || '23:59'}`;
  if (parseDay(start.slice(0, 10)) === null)
    return {
      notice: null,
      issues: [{ field: 'start_date', rule: 'invalid', message: 'must be a day that exists' }],
    };
  if (end !== null && (parseDay(end.slice(0, 10)) === null || end <= start))
    return {
      notice: null,
      issues: [{ field: 'end_date', rule: 'invalid', message: 'must be after the start' }],
    };
  const result = v.safeParse(NoticeSchema, {
    type: line('type'),
    severity: line('severity'),
    title: byLang((lang) => line(toTextName('title', lang))),
    body: byLang((lang) => toCleanText(fields[toTextName('body', lang)] ?? '')),
    ...(line('zone') ? { zone: line('zone') } : {}),
    open,
    when: [toWhen({ start, end, all_day: false, dates: [] })],
    ...(line('source') ? { source: line('source') } : {}),
    ...(line('source_url') ? { source_url: line('source_url') } : {}),
    sources: [
      {
        ...(line('source_url')
          ? { url: line('source_url') }
          : { name: line('source') || 'review desk' }),
        checked: now.slice(0, 10),
      },
    ],
    confidence: 'medium',
  });
  if (result.success) return { notice: result.output, issues: [] };
  return {
    notice: null,
    issues: result.issues.map((issue) => ({
      field: toControl(v.getDotPath(issue) ?? ''),
      rule: 'invalid',
      message: issue.message,
    })),
  };
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
  const now = toCancun(now_ms).toPlainDateTime().toString({ smallestUnit: 'minute' });
  return now <= start
    ? null
    : { ...notice, open: false, when: [toWhen({ start, end: now, all_day: false, dates: [] })] };
}

/** Writes the notice of a sent form; gives its issues by control, none where it is stored. */
export async function writeNotice(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  fields: Readonly<Record<string, string>>,
): Promise<readonly PublicationIssue[]> {
  const { notice, issues } = toDeskNotice(fields, now_ms);
  if (notice !== null)
    await recordNotice(
      inbox,
      { editor, now_ms, action: 'write_notice', reason: null },
      `notice-${randomBytes(6).toString('hex')}`,
      notice,
    );
  return issues;
}

/**
 * Ends an open notice now. Throws AppError where there is none with this id, or it is closed, or
 * says itself when it ends.
 */
export const closeNotice = (inbox: Inbox, { editor, now_ms }: Actor, id: string): Promise<void> =>
  inbox.transaction(async () => {
    const notice = (await listNotices(inbox)).find((one) => one.id === id)?.notice;
    // It must not last longer because somebody presses the button again.
    if (!notice?.open)
      throw new AppError(
        'not_found',
        'notice: there is no such notice, or it is closed already',
        'no_such_notice',
      );
    const closed = closeDeskNotice(notice, now_ms);
    await recordNotice(inbox, { editor, now_ms, action: 'close_notice', reason: null }, id, closed);
  });

/** Says a notice, in the place of what it said; null takes it away. Logged. */
export async function recordNotice(
  inbox: Inbox,
  decision: Omit<NewDecision, 'subject'>,
  id: string,
  record: object | null,
): Promise<void> {
  await decide(inbox, { ...decision, subject: id }, async () =>
    record === null
      ? await endOwn(inbox, { thing: id, asks: 'publish' })
      : await insertOwn(
          inbox,
          { kind: 'notice', thing: id, asks: 'publish', record },
          decision.now_ms,
        ),
  );
}

/** As what a notice of the desk can be edited. */
export const toNoticeId = (id: string): string => toDeskNoticeId(id);

/** The notices of the inbox that this version knows. */
export async function listNotices(
  inbox: Inbox,
): Promise<readonly { readonly id: string; readonly notice: NoticeFile }[]> {
  return (await listDeskNotices(inbox)).flatMap(({ id, record }) => {
    const result = v.safeParse(NoticeSchema, record);
    return result.success ? [{ id, notice: result.output }] : [];
  });
}
