// Submission calendar: serializes a submission as an iCalendar file for its sender: as published
// or, before a release has it, as submitted (contract 14.3).
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

/** Suffix that turns the path of the status page into the path of the calendar. */
export const ICS_EXTENSION = '.ics';

/**
 * Prepares an unpublished event: sets the id it will have, and removes links to pages that do not
 * exist yet.
 */
function prepareUnpublished(detail: EventDetail, { reference }: SubmissionChange): EventDetail {
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

/**
 * Builds the calendar of a submission.
 * @param token Token of the private status page.
 * @returns null if no submission has this token, or it has no valid event.
 */
export async function buildSubmissionCalendar(
  { snapshot, now_ms, site }: PageContext,
  inbox: Inbox,
  token: string,
  lang: Lang,
) {
  const stored = await getSubmissionByToken(inbox, token);
  if (stored === null) return null;
  const { detail: published } = findPublishedEvent(stored, snapshot, now_ms);
  const preview =
    published ??
    buildPreview(stored.text, {}, createReferenceData(snapshot), { ...stored, now_ms });
  if (preview === null) return null;
  const detail = published ?? prepareUnpublished(preview, stored);
  const home_url = absoluteUrl(site.url, PAGE_PATHS.today[lang]);
  const event_url =
    published && absoluteUrl(site.url, recordPath('event', published.event.slug, lang));
  const card = event_url === null ? { ...detail, page: home_url } : detail;
  const items = detail.occurrences.map((occurrence) => ({ occurrence, card }));
  const body = serializeCalendar(items, {
    name: stored.text.title,
    description: t(lang, 'status.title', { reference: stored.reference }),
    page_url: event_url ?? home_url,
    feed_url: event_url ?? home_url,
    lang,
    site,
  });
  return { reference: stored.reference, body };
}
