// Notices on the desk: written, listed, closed.
import { AppError } from '../../domain/app-error.ts';
import { randomBytes } from 'node:crypto';
import { t } from '../../i18n/translate.ts';
import { NOTICE_FIELDS, closeDeskNotice, parseDeskNotice, toDeskNotice } from '../../sources/inbox/desk-notice.ts';
import { listDeskNotices, putDeskNotice } from '../../submissions/published.ts';
import type { Led } from '../_forms/outcome.ts';
import { leadBack } from './queue.ts';
import { type DeskQuestion, type ScreenAnswer, toScreen } from './screen.ts';

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

export function answerNotices(question: DeskQuestion): ScreenAnswer | Led {
  const { state, visit, editor } = question;
  const { inbox, fields } = visit;
  if (visit.method === 'GET') return toNotices(question, {}, NO_FAULTS, 200);
  if (fields.does === 'close') return close(question, fields.id ?? '');
  const { notice, faults } = toDeskNotice(fields, state.now_ms);
  if (notice === null) {
    const values = Object.fromEntries(NOTICE_FIELDS.map((name) => [name, fields[name] ?? '']));
    return toNotices(question, values, new Map(faults.map(({ field }) => [field, t(visit.lang, 'desk.notice.fault')])), 422);
  }
  putDeskNotice(inbox, { editor, action: 'write_notice', reason: null, now_ms: state.now_ms }, `notice-${randomBytes(6).toString('hex')}`, notice);
  return leadBack('decided');
}

function close({ state, visit, editor }: DeskQuestion, id: string): Led {
  const row = listDeskNotices(visit.inbox).find((notice) => notice.id === id);
  const notice = row ? parseDeskNotice(row.record) : null;
  // One that is closed, or says itself when it ends, must not last longer because somebody presses the button again.
  if (!notice?.open) throw new AppError('not_found', 'notice: there is no such notice, or it is closed already');
  putDeskNotice(visit.inbox, { editor, action: 'close_notice', reason: null, now_ms: state.now_ms }, id, closeDeskNotice(notice, state.now_ms));
  return leadBack('decided');
}

function toNotices({ state, visit }: DeskQuestion, values: Readonly<Record<string, string>>, faults: ReadonlyMap<string, string>, status: number): ScreenAnswer {
  const open = listDeskNotices(visit.inbox).flatMap(({ id, record }) => {
    const notice = parseDeskNotice(record);
    return notice ? [{ id, title: notice.title[visit.lang], severity: notice.severity, is_closed: !notice.open }] : [];
  });
  const zones = state.snapshot.taxonomy.zones.map((zone) => ({ key: zone.key, name: zone.name[visit.lang] }));
  return toScreen({ screen: 'notices', open, values, faults, zones }, status, faults.size > 0 ? 'desk.refused.faults' : null);
}
