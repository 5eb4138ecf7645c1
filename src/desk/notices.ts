// A notice written at the desk, as a notice file; and how one is closed.
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp, parseDay, toCancun } from '../domain/cancun-time.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import type { Inbox } from '../inbox/open.ts';
import { listDeskNotices, putDeskNotice } from '../inbox/published.ts';
import { type NoticeFile, NoticeSchema } from '../sources/content-schema.ts';
import type { PublicationIssue } from '../sources/inbox/publication.ts';
import { toWhen } from './to-when.ts';

/** The controls of the form; an empty end leaves it open until somebody closes it. */
export const NOTICE_FIELDS = [
  'type',
  'severity',
  'title_es',
  'title_en',
  'body_es',
  'body_en',
  'zone',
  'start_date',
  'start_time',
  'end_date',
  'end_time',
  'source',
  'source_url',
] as const;
export type NoticeField = (typeof NOTICE_FIELDS)[number];

export type NoticeReading =
  | { readonly notice: NoticeFile; readonly issues: readonly [] }
  | { readonly notice: null; readonly issues: readonly PublicationIssue[] };

/** The notice of a sent form, begun now where no start is given; or its faults by control. */
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
      issues: [{ field: 'start_date', message: 'must be a day that exists' }],
    };
  if (end !== null && (parseDay(end.slice(0, 10)) === null || end <= start))
    return { notice: null, issues: [{ field: 'end_date', message: 'must be after the start' }] };
  const result = v.safeParse(NoticeSchema, {
    type: line('type'),
    severity: line('severity'),
    title: { es: line('title_es'), en: line('title_en') },
    body: { es: toCleanText(fields.body_es ?? ''), en: toCleanText(fields.body_en ?? '') },
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

/** The notice ended now; null where it has not begun, and so is nothing to keep. */
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

/** A notice of the inbox; null where it is none that this version knows. */
export function parseDeskNotice(record: unknown): NoticeFile | null {
  const result = v.safeParse(NoticeSchema, record);
  return result.success ? result.output : null;
}

/** Who does something with a notice, when. */
export interface Actor {
  readonly editor: string;
  readonly now_ms: number;
}

/** Writes the notice of a sent form; gives its faults by control, none where it is kept. */
export function writeNotice(
  inbox: Inbox,
  fields: Readonly<Record<string, string>>,
  { editor, now_ms }: Actor,
): readonly PublicationIssue[] {
  const { notice, issues } = toDeskNotice(fields, now_ms);
  if (notice !== null)
    putDeskNotice(
      inbox,
      { editor, action: 'write_notice', reason: null, now_ms },
      `notice-${randomBytes(6).toString('hex')}`,
      notice,
    );
  return issues;
}

/**
 * Ends an open notice now. Throws AppError where there is none with this id, or it is closed, or
 * says itself when it ends.
 */
export function closeNotice(inbox: Inbox, id: string, { editor, now_ms }: Actor): void {
  const row = listDeskNotices(inbox).find((notice) => notice.id === id);
  const notice = row ? parseDeskNotice(row.record) : null;
  // It must not last longer because somebody presses the button again.
  if (!notice?.open)
    throw new AppError('not_found', 'notice: there is no such notice, or it is closed already');
  putDeskNotice(
    inbox,
    { editor, action: 'close_notice', reason: null, now_ms },
    id,
    closeDeskNotice(notice, now_ms),
  );
}
