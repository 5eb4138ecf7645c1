// A copy of a submission for its sender's calendar: as the agenda shows it, or as it was sent where it
// does not yet (contract 14.3).
import type { EventDetail } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import type { SubmissionChange } from '../../domain/change.ts';
import { PAGE_PATHS, absoluteUrl, recordPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { eventIdOfSubmission, createReferenceData } from '../../desk/reference-data.ts';
import { buildPreview } from '../../desk/publication.ts';
import { findPublishedEvent } from '../../desk/submissions.ts';
import { getSubmissionByToken } from '../../inbox/changes.ts';
import type { Inbox } from '../../inbox/open.ts';
import { serializeCalendar } from '../../serializers/icalendar.ts';
import type { PageContext } from '../page-context.ts';

/** Behind the address of the status page. */
export const ICS_EXTENSION = '.ics';

/** What is not in the agenda yet: under the id that it will have there, without pages that are not there. */
function toUnlisted(detail: EventDetail, { reference }: SubmissionChange): EventDetail {
  const id = eventIdOfSubmission(reference);
  return {
    ...detail,
    organizer: null,
    event: { ...detail.event, id, image: null },
    occurrences: detail.occurrences.map((occurrence) => ({
      ...occurrence,
      event: id,
      id: occurrence.id.replace(detail.event.id, id),
    })),
  };
}

/** The copy at a token; null where no submission has it, or where there is nothing to be copied. */
export async function buildSubmissionCalendar(
  { snapshot, now_ms, site }: PageContext,
  inbox: Inbox,
  token: string,
  lang: Lang,
) {
  const stored = await getSubmissionByToken(inbox, token);
  if (stored === null) return null;
  const { detail: listed } = findPublishedEvent(stored, snapshot, now_ms);
  const sent =
    listed ?? buildPreview(stored.text, {}, createReferenceData(snapshot), { ...stored, now_ms });
  if (sent === null) return null;
  const detail = listed ?? toUnlisted(sent, stored);
  const home = absoluteUrl(site.url, PAGE_PATHS.today[lang]);
  const page = listed && absoluteUrl(site.url, recordPath('event', listed.event.slug, lang));
  const card = page === null ? { ...detail, page: home } : detail;
  const items = detail.occurrences.map((occurrence) => ({ occurrence, card }));
  const body = serializeCalendar(items, {
    name: stored.text.title,
    description: t(lang, 'status.title', { reference: stored.reference }),
    page_url: page ?? home,
    feed_url: page ?? home,
    lang,
    site,
  });
  return { reference: stored.reference, body };
}
