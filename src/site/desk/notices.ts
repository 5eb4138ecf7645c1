// Notices on the desk: written, listed, closed.
import { t } from '../../i18n/translate.ts';
import {
  closeNotice,
  NOTICE_FIELDS,
  parseDeskNotice,
  writeNotice,
} from '../../desk/notices.ts';
import { listDeskNotices } from '../../inbox/published.ts';
import type { Led } from '../forms/outcome.ts';
import { leadBack } from './queue.ts';
import { type DeskQuestion, type ScreenAnswer, toScreen } from './screen.ts';

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

export function answerNotices(question: DeskQuestion): ScreenAnswer | Led {
  const { state, visit, editor } = question;
  const { inbox, fields } = visit;
  if (visit.method === 'GET') return toNotices(question, {}, NO_FAULTS, 200);
  if (fields.does === 'close') {
    closeNotice(inbox, fields.id ?? '', { editor, now_ms: state.now_ms });
    return leadBack('decided');
  }
  const faults = writeNotice(inbox, fields, { editor, now_ms: state.now_ms });
  if (faults.length === 0) return leadBack('decided');
  const values = Object.fromEntries(NOTICE_FIELDS.map((name) => [name, fields[name] ?? '']));
  return toNotices(
    question,
    values,
    new Map(faults.map(({ field }) => [field, t(visit.lang, 'desk.notice.fault')])),
    422,
  );
}

function toNotices(
  { state, visit }: DeskQuestion,
  values: Readonly<Record<string, string>>,
  faults: ReadonlyMap<string, string>,
  status: number,
): ScreenAnswer {
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
    { screen: 'notices', open, values, faults, zones },
    status,
    faults.size > 0 ? 'desk.refused.faults' : null,
  );
}
