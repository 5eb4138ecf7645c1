// Notices on the desk: written, listed, closed.
import { readThing, openSources } from '../../desk/things.ts';
import {
  closeNotice,
  listNotices,
  NOTICE_FIELDS,
  NOTICE_TEXTS,
  toNoticeId,
  writeNotice,
} from '../../desk/notices.ts';
import { t } from '../../i18n/translate.ts';
import { toEditPath, toThingTitle } from './find.ts';
import { redirectToQueue } from './journey.ts';
import { type DeskRequest, type Room, toScreen } from './room.ts';

export const noticesRoom: Room = {
  show: async (request, _, told) => toScreen('notices', await readView(request), told),
  act: async (request) => {
    const { visit, actor } = request;
    const { inbox, fields, lang } = visit;
    if (fields.does === 'close') {
      await closeNotice(inbox, actor, fields.id ?? '');
      return redirectToQueue('decided');
    }
    const issues = await writeNotice(inbox, actor, fields);
    if (issues.length === 0) return redirectToQueue('decided');
    const faults = issues.map(({ field }) => [field, t(lang, 'desk.notice.issue')] as const);
    const told = { status: 422, notice: t(lang, 'desk.refused.issues') };
    return toScreen('notices', await readView(request, new Map(faults)), told);
  },
};

export type NoticesView = Awaited<ReturnType<typeof readView>>;

/** Those that were written here, and the form of a new one with what was typed. */
async function readView(
  { state: { snapshot }, visit: { inbox, lang, fields } }: DeskRequest,
  issues: ReadonlyMap<string, string> = new Map(),
) {
  const sources = openSources(inbox, snapshot);
  return {
    issues,
    /** The controls of its texts, one for each language. */
    texts: NOTICE_TEXTS,
    values: Object.fromEntries(NOTICE_FIELDS.map((name) => [name, fields[name] ?? ''])),
    zones: snapshot.taxonomy.zones.map(({ key, name }) => ({ value: key, label: name[lang] })),
    open: await Array.fromAsync(await listNotices(inbox), async ({ id, notice }) => {
      const edited = await readThing(inbox, sources, toNoticeId(id));
      return {
        id,
        title: edited === null ? notice.title[lang] : toThingTitle(edited.record, lang),
        severity: notice.severity,
        is_closed: !notice.open,
        edit_path: toEditPath(toNoticeId(id)),
      };
    }),
  };
}
