// Newsletter: subscribes an email address to the events of the coming weekend. A private URL (it
// has the subscriber's token) confirms, changes and ends the subscription. Composes Thursday's
// email from the Markdown version of the weekend page (contract 14.44).
import { checkSubmissionLimits } from '../../desk/submission-limits.ts';
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import type { SubscriberMailKind } from '../../domain/mail-limits.ts';
import { SUBSCRIBABLE_FILTER_NAMES, sortParameters } from '../../domain/query/event-query.ts';
import { EMAIL_PATTERN } from '../../domain/submission/field-rules.ts';
import { formatLongRange } from '../../i18n/format-dates.ts';
import { separateSeasons } from '../../domain/event/event.ts';
import { formatListUncertainty } from '../../i18n/format-facts.ts';
import { PAGE_PATHS, absoluteUrl, newsletterPath } from '../../i18n/paths.ts';
import { type MessageKey, t, tPlural } from '../../i18n/translate.ts';
import {
  requestSubscription,
  getSubscriber,
  confirmSubscriber,
  type Subscriber,
  deleteSubscriber,
} from '../../inbox/subscribers.ts';
import { sha256Hex } from '../../inbox/secrets.ts';
import { toHtml, toMarkdown } from '../../serializers/markdown/document.ts';
import { heading, link, paragraph } from '../../serializers/markdown/nodes.ts';
import { loadAgendaPage, buildAgendaView, renderEventGroups } from '../agenda-page.ts';
import { parseCalendarChoice } from '../calendar-page.ts';
import { buildTaxonSelects, buildFilterCheckboxes } from '../filter-form.ts';
import { UNAVAILABLE, NOT_FOUND } from '../page-meta.ts';
import { defineForm, type TokenRequest, tokenRoutes } from '../page-definition.ts';
import type { PageContext } from '../page-context.ts';
import {
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import { tryToStore, formMeta } from './form-errors.ts';

export type NewsletterPage = ReturnType<typeof buildPage>;
/**
 * Stage of a subscription, part of i18n keys. `ask`: the form of a new one; `asked`: the
 * confirmation email is under way; `confirm`: opened from this email; `kept`: subscribed; `leave`:
 * asks before unsubscribing; `left`: ended.
 */
type Stage = 'ask' | 'asked' | 'confirm' | 'kept' | 'leave' | 'left';

/** RFC 5321, 4.5.3.1.3: a path of 256 characters, with its angle brackets. */
const MAX_EMAIL_LENGTH = 254;
/** Most events in an email. Further ones are on the weekend page, which the email links to. */
const MAX_EVENTS = 30;
const EMAIL_STYLE =
  'body{max-width:38em;margin:0 auto;padding:1em;font:16px/1.5 system-ui,sans-serif}h1{font-size:1.5em;line-height:1.25}h2{font-size:1.3em}h3{font-size:1.1em}ul{padding-left:1.2em}li p{margin:0}';

/** A request to the form of a new subscription, or to the private page of a subscriber. */
interface NewsletterRequest {
  readonly context: PageContext;
  readonly visit: VisitorRequest;
  readonly lang: Lang;
  readonly path: string;
  readonly paths: LocalText;
  readonly is_new: boolean;
  /** Null for a new subscription, and for unknown tokens. */
  readonly subscriber: Subscriber | null;
  /** The submitted fields, or the stored ones for a GET. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** The selected filters, normalized. */
  readonly filter_query: string;
}

/**
 * Serves the newsletter form. A GET changes nothing. Unknown tokens show the same page as after an
 * unsubscription.
 */
async function handleNewsletter(
  context: PageContext,
  visit: VisitorRequest,
  { lang, token }: TokenRequest,
) {
  const { inbox, query, rejection, method } = visit;
  const path = newsletterPath(token, lang);
  // Null instead of a token: the form of a new subscription.
  const is_new = path === newsletterPath(null, lang);
  if (is_new && !context.site.sends_mail) return NOT_FOUND;
  const subscriber = await getSubscriber(inbox, sha256Hex(token));
  const initial_fields = subscriber
    ? Object.fromEntries(new URLSearchParams(subscriber.query))
    : query;
  const fields = method === 'GET' ? initial_fields : visit.fields;
  const filter_query = new URLSearchParams(
    sortParameters({ ...fields }, SUBSCRIBABLE_FILTER_NAMES),
  ).toString();
  const paths = byLang((path_lang) => newsletterPath(is_new ? null : token, path_lang));
  const request: NewsletterRequest = {
    ...{ context, visit, lang, path, paths, is_new, subscriber, fields, filter_query },
  };
  if (rejection !== null) return showPage(request, rejection, REJECTION_MESSAGE_KEYS[rejection]);
  if (method === 'GET') {
    if (is_new) return showPage(request, 200, null, query.asked ? 'asked' : 'ask');
    if (subscriber === null) return showPage(request, 404);
    if (query.does === 'leave') return showPage(request, 200, null, 'leave');
    const is_saved = query.saved && getStage(request) === 'kept';
    return showPage(request, 200, is_saved ? 'weekly.saved' : null);
  }
  return tryToStore(
    () => applyForm(request),
    lang,
    context.now_ms,
    (banner) => buildPage(request, banner),
  );
}

/**
 * Unsubscribes, confirms or changes the subscription, or stores a new one, which gets a
 * confirmation email.
 */
async function applyForm(request: NewsletterRequest) {
  const { context, visit, lang, path, is_new, subscriber, fields, filter_query } = request;
  const { now_ms } = context;
  const { inbox, sender } = visit;
  // Mail programs send `List-Unsubscribe` (RFC 8058) and do not follow redirects.
  const is_unsubscribing = fields.does === 'leave' || fields['List-Unsubscribe'] === 'One-Click';
  if (is_unsubscribing) {
    if (subscriber !== null) await deleteSubscriber(inbox, subscriber);
    return showPage(request, 200, null, 'left');
  }
  const choice = { lang, query: filter_query };
  const email = (fields.email ?? '').trim();
  if (!is_new && subscriber === null) return showPage(request, 404);
  // The honeypot: only spam programs fill it in.
  if (fields.homepage) return showPage(request, 422, 'submit.refused.trap');
  if (parseCalendarChoice(context, lang, filter_query).issue !== null)
    return showPage(request, 422, 'weekly.unknown');
  if (subscriber !== null) {
    await inbox.transaction(() => confirmSubscriber(inbox, subscriber, choice, now_ms));
    return redirectAfterPost(`${path}?saved=1`);
  }
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL_PATTERN.test(email))
    return showPage(request, 422, 'submit.issue.not_email');
  const is_accepted = await inbox.transaction(async () => {
    const request_by_visitor = { sender, now_ms, channel: 'reader', reference: '' } as const;
    const is_flagged = await checkSubmissionLimits(inbox, request_by_visitor);
    if (!is_flagged) await requestSubscription(inbox, email, choice, now_ms);
    return !is_flagged;
  });
  return is_accepted
    ? redirectAfterPost(`${path}?asked=1`)
    : showPage(request, 429, 'weekly.refused');
}

/** Returns the stage of a request without an action. */
function getStage({ is_new, subscriber }: NewsletterRequest): Stage {
  if (is_new) return 'ask';
  if (subscriber === null) return 'left';
  return subscriber.confirmed_ms === null ? 'confirm' : 'kept';
}

const showPage = (
  request: NewsletterRequest,
  status: number,
  banner_key: MessageKey | null = null,
  stage?: Stage,
) => pageResult(buildPage(request, banner_key && t(request.lang, banner_key), stage), status);

function buildPage(
  request: NewsletterRequest,
  banner: string | null,
  stage: Stage = getStage(request),
) {
  const { context, lang, path, paths, fields, filter_query } = request;
  const { site, snapshot } = context;
  const { params } = parseCalendarChoice(context, lang, filter_query);
  const title = t(lang, `weekly.title.${stage}`);
  const description = t(lang, `weekly.about.${stage}`);
  return {
    ...{ stage, banner, email: fields.email, action: path },
    is_saved: banner === t(lang, 'weekly.saved'),
    selects: buildTaxonSelects(params, snapshot.taxonomy, lang),
    checkboxes: buildFilterCheckboxes(params, lang),
    meta: formMeta({ lang, site, paths, is_private: true, title, description }),
  };
}

/**
 * Composes the confirmation email or the newsletter.
 * @returns null if the subscriber's weekend has no events; otherwise `count` is the number of all
 * its events, `reference` its dates for the subject of the email.
 */
export function composeNewsletter(
  context: PageContext,
  kind: SubscriberMailKind,
  subscriber: Subscriber,
) {
  const { lang, query, token, confirmed_ms } = subscriber;
  const { site } = context;
  const url = absoluteUrl(site.url, newsletterPath(token, lang));
  const unsubscribe_url = `${url}?does=leave`;
  if (kind === 'confirm') {
    const text = t(lang, `mail.text.confirm.${confirmed_ms === null ? 'new' : 'known'}`);
    return { unsubscribe_url, reference: '', count: 1, text: `${text}\n\n${url}` };
  }
  const result = loadAgendaPage(context, { lang, date: 'weekend' }, query);
  if (result.kind !== 'page' || separateSeasons(result.page.agenda.events).others.length === 0)
    return null;
  const count = result.page.agenda.events.length;
  const view = buildAgendaView(result.page);
  const all_groups = [...view.groups, ...view.last_groups];
  const listed_cards = new Set(all_groups.flatMap(({ cards }) => cards).slice(0, MAX_EVENTS));
  const groups = all_groups
    .map((group) => ({ ...group, cards: group.cards.filter((card) => listed_cards.has(card)) }))
    .filter(({ cards }) => cards.length > 0);
  const { title, query: filter_queries } = view.meta;
  const page_url = absoluteUrl(site.url, PAGE_PATHS.weekend[lang] + (filter_queries?.[lang] ?? ''));
  const more = count > MAX_EVENTS ? `${tPlural(lang, 'weekly.more', count - MAX_EVENTS)} ` : null;
  const blocks = [
    heading(1, title),
    formatListUncertainty([...listed_cards], lang),
    renderEventGroups(view, groups),
    paragraph(more, link(page_url, t(lang, 'weekly.all'))),
    { type: 'thematicBreak' } as const,
    t(lang, 'weekly.why', { name: site.name }),
    paragraph(
      link(url, t(lang, 'weekly.change')),
      ' · ',
      link(unsubscribe_url, t(lang, 'weekly.leave')),
    ),
  ];
  const head_html = `<meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>${EMAIL_STYLE}</style>`;
  const html = `<!doctype html><html lang="${lang}"><head>${head_html}</head><body>\n${toHtml(blocks)}\n</body></html>`;
  return {
    unsubscribe_url,
    count,
    html,
    text: toMarkdown(blocks),
    reference: formatLongRange(view.days, lang),
  };
}

export const newsletterPage = defineForm<TokenRequest, NewsletterPage>({
  name: 'newsletter',
  routes: tokenRoutes(newsletterPath),
  handle: (context, request, visit) =>
    visit ? handleNewsletter(context, visit, request) : UNAVAILABLE,
});
