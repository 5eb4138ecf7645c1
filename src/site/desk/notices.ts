// Notices on the desk: written, listed, closed.
import { t } from '../../i18n/translate.ts';
import {
  closeNotice,
  listNotices,
  NOTICE_FIELDS,
  NOTICE_TEXTS,
  toNoticeId,
  writeNotice,
} from '../../desk/notices.ts';
import { readThing, openSources } from '../../desk/things.ts';
import type { Redirect } from '../visit.ts';
import { toEditPath, toThingTitle } from './find-things.ts';
import { redirectToQueue } from './queue.ts';
import { type DeskRequest, type ScreenResult, toScreen } from './screens.ts';

const NO_ISSUES: ReadonlyMap<string, string> = new Map();

export async function handleNotices(request: DeskRequest): Promise<ScreenResult | Redirect> {
  const { inbox, fields, method, lang } = request.visit;
  if (method === 'GET') return toNotices(request, {}, NO_ISSUES, 200, null);
  if (fields.does === 'close') {
    await closeNotice(inbox, request.actor, fields.id ?? '');
    return redirectToQueue('decided');
  }
  const issues = await writeNotice(inbox, request.actor, fields);
  if (issues.length === 0) return redirectToQueue('decided');
  const sentences = issues.map(({ field }) => [field, t(lang, 'desk.notice.issue')] as const);
  const notice = t(lang, 'desk.refused.issues');
  return toNotices(request, toTyped(fields), new Map(sentences), 422, notice);
}

const toTyped = (fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(NOTICE_FIELDS.map((name) => [name, fields[name] ?? '']));

/** The same with what was typed. */
export const showNoticesAgain = (
  request: DeskRequest,
  status: number,
  notice: string,
): Promise<ScreenResult> =>
  toNotices(request, toTyped(request.visit.fields), NO_ISSUES, status, notice);

async function toNotices(
  { state, visit }: DeskRequest,
  values: Readonly<Record<string, string>>,
  issues: ReadonlyMap<string, string>,
  status: number,
  notice: string | null,
): Promise<ScreenResult> {
  const { inbox, lang } = visit;
  const sources = openSources(inbox, state.snapshot);
  const open = await Array.fromAsync(await listNotices(inbox), async ({ id, notice }) => {
    const edited = await readThing(inbox, sources, toNoticeId(id));
    return {
      id,
      title: edited === null ? notice.title[lang] : toThingTitle(edited.record, lang),
      severity: notice.severity,
      is_closed: !notice.open,
      edit_path: toEditPath(toNoticeId(id)),
    };
  });
  const zones = state.snapshot.taxonomy.zones.map((zone) => ({
    key: zone.key,
    name: zone.name[visit.lang],
  }));
  return toScreen(
    { screen: 'notices', open, texts: NOTICE_TEXTS, values, issues, zones },
    status,
    notice,
  );
}
