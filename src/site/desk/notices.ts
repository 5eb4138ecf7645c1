// Notices on the desk: written, listed, closed.
import { t } from '../../i18n/translate.ts';
import { closeNotice, NOTICE_FIELDS, parseDeskNotice, writeNotice } from '../../desk/notices.ts';
import { listDeskNotices } from '../../inbox/published.ts';
import type { Redirect } from '../forms/outcome.ts';
import { redirectToQueue } from './queue.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screen.ts';

const NO_ISSUES: ReadonlyMap<string, string> = new Map();

export function handleNotices(request: DeskRequest): ScreenResult | Redirect {
  const { state, visit, editor } = request;
  const { inbox, fields } = visit;
  if (visit.method === 'GET') return toNotices(request, {}, NO_ISSUES, 200);
  if (fields.does === 'close') {
    closeNotice(inbox, fields.id ?? '', { editor, now_ms: state.now_ms });
    return redirectToQueue('decided');
  }
  const issues = writeNotice(inbox, fields, { editor, now_ms: state.now_ms });
  if (issues.length === 0) return redirectToQueue('decided');
  const values = Object.fromEntries(NOTICE_FIELDS.map((name) => [name, fields[name] ?? '']));
  return toNotices(
    request,
    values,
    new Map(issues.map(({ field }) => [field, t(visit.lang, 'desk.notice.issue')])),
    422,
  );
}

function toNotices(
  { state, visit }: DeskRequest,
  values: Readonly<Record<string, string>>,
  issues: ReadonlyMap<string, string>,
  status: number,
): ScreenResult {
  const open = listDeskNotices(visit.inbox).flatMap(({ id, record }) => {
    const notice = parseDeskNotice(record);
    return notice
      ? [
          {
            id,
            title: notice.title[visit.lang],
            severity: notice.severity,
            is_closed: !notice.open,
          },
        ]
      : [];
  });
  const zones = state.snapshot.taxonomy.zones.map((zone) => ({
    key: zone.key,
    name: zone.name[visit.lang],
  }));
  return toScreen(
    { screen: 'notices', open, values, issues, zones },
    status,
    issues.size > 0 ? 'desk.refused.issues' : null,
  );
}
