// Notices on the desk: written, listed, closed.
import { t } from '../../i18n/translate.ts';
import {
  closeNotice,
  listNotices,
  NOTICE_FIELDS,
  NOTICE_TEXTS,
  writeNotice,
} from '../../desk/notices.ts';
import type { Redirect } from '../visit.ts';
import { redirectToQueue } from './queue.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

const NO_ISSUES: ReadonlyMap<string, string> = new Map();

export function handleNotices(request: DeskRequest): ScreenResult | Redirect {
  const { inbox, fields, method, lang } = request.visit;
  if (method === 'GET') return toNotices(request, {}, NO_ISSUES, 200);
  if (fields.does === 'close') {
    closeNotice(inbox, request.actor, fields.id ?? '');
    return redirectToQueue('decided');
  }
  const issues = writeNotice(inbox, request.actor, fields);
  if (issues.length === 0) return redirectToQueue('decided');
  const values = Object.fromEntries(NOTICE_FIELDS.map((name) => [name, fields[name] ?? '']));
  const sentences = issues.map(({ field }) => [field, t(lang, 'desk.notice.issue')] as const);
  return toNotices(request, values, new Map(sentences), 422);
}

function toNotices(
  { state, visit }: DeskRequest,
  values: Readonly<Record<string, string>>,
  issues: ReadonlyMap<string, string>,
  status: number,
): ScreenResult {
  const open = listNotices(visit.inbox).map(({ id, notice }) => ({
    id,
    title: notice.title[visit.lang],
    severity: notice.severity,
    is_closed: !notice.open,
  }));
  const zones = state.snapshot.taxonomy.zones.map((zone) => ({
    key: zone.key,
    name: zone.name[visit.lang],
  }));
  return toScreen(
    { screen: 'notices', open, texts: NOTICE_TEXTS, values, issues, zones },
    status,
    issues.size > 0 ? t(visit.lang, 'desk.refused.issues') : null,
  );
}
