// What something is a duplicate of, found by whatever an editor names it by, and how its sender is told.
import type { Lang } from '../../domain/lang.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { findShown } from '../../desk/propose.ts';
import type { Inbox } from '../../inbox/open.ts';
import { getSubmission } from '../../inbox/submissions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import type { SiteState } from '../state.ts';

/**
 * The reason for a sender, in their language: the page of the event, or that it was here before, of
 * what is not public yet. Null where nothing has that reference, id, slug or address.
 */
export async function toDuplicateReason(
  inbox: Inbox,
  { snapshot, now_ms, site }: Pick<SiteState, 'snapshot' | 'now_ms' | 'site'>,
  named: string,
  lang: Lang,
): Promise<string | null> {
  const name = /([^/?#\s]+)\/?(?:[?#].*)?$/.exec(named.trim())?.[1] ?? '';
  if (name === '') return null;
  const stored = await getSubmission(inbox, name);
  const found = stored === null ? getEvent(snapshot, name, now_ms) : null;
  const detail = stored === null ? null : findShown(stored, snapshot, now_ms).detail;
  const listed = detail?.event ?? (found === null || found === 'gone' ? null : found.event);
  if (listed === null) return stored === null ? null : t(lang, 'canned.duplicate');
  const url = toAbsolute(site.url, toThingPath('event', listed.slug, lang));
  return t(lang, 'canned.duplicate_of', { title: listed.title[lang], url });
}
