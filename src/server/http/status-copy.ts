// The address of a sender's copy for their calendar: that of the status page with `.ics` behind it, as
// private as that page.
import type { HttpResponse } from '../../http/message.ts';
import { NO_STORE } from '../../http/response-headers.ts';
import { LANGS } from '../../domain/lang.ts';
import { toStatusPath } from '../../i18n/paths.ts';
import type { Inbox } from '../../inbox/open.ts';
import { CALENDAR_TYPE } from '../../serializers/calendar/calendar.ts';
import { COPY_ENDING, toStatusCopy } from '../../site/forms/status-copy.ts';
import type { RequestContext } from './request-context.ts';

/** The copy at a path; null for every other path, and where there is none. */
export function answerStatusCopy(
  { request, service, state, now_ms }: RequestContext,
  inbox: Inbox,
  path: string,
): HttpResponse | null {
  const lang = LANGS.find((one) => path.startsWith(toStatusPath('', one)));
  if (request.method === 'POST' || lang === undefined || !path.endsWith(COPY_ENDING)) return null;
  const token = path.slice(toStatusPath('', lang).length, -COPY_ENDING.length);
  const { snapshot } = state;
  const copy = toStatusCopy({ snapshot, now_ms, site: service.site }, inbox, token, lang);
  if (copy === null) return null;
  return {
    status: 200,
    headers: {
      'content-type': CALENDAR_TYPE,
      'content-disposition': `attachment; filename="${copy.reference}.ics"`,
      'cache-control': NO_STORE,
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: copy.body,
  };
}
