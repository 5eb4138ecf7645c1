// Thursday's letter for readers without an account (contract 14.44): asked for, confirmed by a second press at a private
// address, changed and ended there; and its words, which are those of the weekend's Markdown version.
import { checkSubmissionLimits } from '../../desk/submission-limits.ts';
import { byLang } from '../../domain/lang.ts';
import type { SubscriberMailKind } from '../../domain/mail-limits.ts';
import { SUBSCRIBABLE_FILTER_NAMES, sortParameters } from '../../domain/query/event-query.ts';
import { EMAIL_PATTERN } from '../../domain/submission/field-rules.ts';
import { formatLongRange } from '../../i18n/format-dates.ts';
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

export type NewsletterPage = Extract<
  Awaited<ReturnType<typeof handleReader>>,
  { readonly kind: 'page' }
>['page'];
type Stage = 'ask' | 'asked' | 'confirm' | 'kept' | 'leave' | 'left';

const MAX_EMAIL = 254;
/** Most events of a letter; the rest is on the page. */
const MAX_EVENTS = 30;
const STYLE =
  'body{max-width:38em;margin:0 auto;padding:1em;font:16px/1.5 system-ui,sans-serif}h1{font-size:1.5em;line-height:1.25}h2{font-size:1.3em}h3{font-size:1.1em}ul{padding-left:1.2em}li p{margin:0}';

/** Looking changes nothing. At an address that nobody has it is the same as where somebody has left. */
async function handleReader(
  state: PageContext,
  visit: VisitorRequest,
  { lang, token }: TokenRequest,
) {
  const { inbox, query, refusal, sender, method } = visit;
  const { now_ms } = state;
  const path = newsletterPath(token, lang);
  const is_new = path === newsletterPath(null, lang);
  if (is_new && !state.site.sends_mail) return NOT_FOUND;
  const reader = await getSubscriber(inbox, sha256Hex(token));
  const stored = reader ? Object.fromEntries(new URLSearchParams(reader.query)) : query;
  const fields = method === 'GET' ? stored : visit.fields;
  const chosen = new URLSearchParams(
    sortParameters({ ...fields }, SUBSCRIBABLE_FILTER_NAMES),
  ).toString();
  const { params, issue } = parseCalendarChoice(state, lang, chosen);
  const own = reader?.confirmed_ms === null ? 'confirm' : reader ? 'kept' : 'left';
  const print = (notice: string | null, stage: Stage = is_new ? 'ask' : own) => {
    const { site, snapshot } = state;
    const paths = byLang((one) => newsletterPath(is_new ? null : token, one));
    const title = t(lang, `weekly.title.${stage}`);
    const description = t(lang, `weekly.about.${stage}`);
    return {
      ...{ stage, notice, email: fields.email, action: path },
      is_saved: notice === t(lang, 'weekly.saved'),
      selects: buildTaxonSelects(params, snapshot.taxonomy, lang),
      ticks: buildFilterCheckboxes(params, lang),
      meta: formMeta({ lang, site, paths, is_private: true, title, description }),
    };
  };
  const toAnswer = (status: number, notice: MessageKey | null = null, stage?: Stage) =>
    pageResult(print(notice && t(lang, notice), stage), status);
  if (refusal !== null) return toAnswer(refusal, REJECTION_MESSAGE_KEYS[refusal]);
  if (method === 'GET') {
    if (is_new) return toAnswer(200, null, query.asked ? 'asked' : 'ask');
    if (reader === null) return toAnswer(404);
    if (query.does === 'leave') return toAnswer(200, null, 'leave');
    return toAnswer(200, query.saved && own === 'kept' ? 'weekly.saved' : null);
  }
  const take = async () => {
    // The second is sent by a button of mail programs (RFC 8058), which are led nowhere.
    if (fields.does === 'leave' || fields['List-Unsubscribe'] === 'One-Click') {
      if (reader !== null) await deleteSubscriber(inbox, reader);
      return toAnswer(200, null, 'left');
    }
    const choice = { lang, query: chosen };
    const email = (fields.email ?? '').trim();
    if (!is_new && reader === null) return toAnswer(404);
    if (fields.homepage) return toAnswer(422, 'submit.refused.trap');
    if (issue !== null) return toAnswer(422, 'weekly.unknown');
    if (reader !== null) {
      await inbox.transaction(() => confirmSubscriber(inbox, reader, choice, now_ms));
      return redirectAfterPost(`${path}?saved=1`);
    }
    if (email.length > MAX_EMAIL || !EMAIL_PATTERN.test(email))
      return toAnswer(422, 'submit.issue.not_email');
    const is_taken = await inbox.transaction(async () => {
      const entry = { sender, now_ms, channel: 'reader', reference: '' } as const;
      const is_usual = !(await checkSubmissionLimits(inbox, entry));
      if (is_usual) await requestSubscription(inbox, email, choice, now_ms);
      return is_usual;
    });
    return is_taken ? redirectAfterPost(`${path}?asked=1`) : toAnswer(429, 'weekly.refused');
  };
  return tryToStore(take, lang, now_ms, print);
}

/** The question whether they want it, or the weekend; null where nothing is on. */
export function composeNewsletter(
  state: PageContext,
  kind: SubscriberMailKind,
  reader: Subscriber,
) {
  const { lang, query, token, confirmed_ms } = reader;
  const { site } = state;
  const url = absoluteUrl(site.url, newsletterPath(token, lang));
  const leave_url = `${url}?does=leave`;
  if (kind === 'confirm') {
    const said = t(lang, `mail.text.confirm.${confirmed_ms === null ? 'new' : 'known'}`);
    return { leave_url, reference: '', count: 1, text: `${said}\n\n${url}` };
  }
  const answer = loadAgendaPage(state, { lang, date: 'weekend' }, query);
  if (answer.kind !== 'page' || answer.page.agenda.events.length === 0) return null;
  const count = answer.page.agenda.events.length;
  const view = buildAgendaView(answer.page);
  const lists = [...view.groups, ...view.last_groups];
  const shown = new Set(lists.flatMap(({ cards }) => cards).slice(0, MAX_EVENTS));
  const groups = lists
    .map((group) => ({ ...group, cards: group.cards.filter((card) => shown.has(card)) }))
    .filter(({ cards }) => cards.length > 0);
  const { title, query: asked } = view.meta;
  const page_url = absoluteUrl(site.url, PAGE_PATHS.weekend[lang] + (asked?.[lang] ?? ''));
  const more = count > MAX_EVENTS ? `${tPlural(lang, 'weekly.more', count - MAX_EVENTS)} ` : null;
  const blocks = [
    heading(1, title),
    formatListUncertainty([...shown], lang),
    renderEventGroups(view, groups),
    paragraph(more, link(page_url, t(lang, 'weekly.all'))),
    { type: 'thematicBreak' } as const,
    t(lang, 'weekly.why', { name: site.name }),
    paragraph(link(url, t(lang, 'weekly.change')), ' · ', link(leave_url, t(lang, 'weekly.leave'))),
  ];
  const head = `<meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>${STYLE}</style>`;
  const html = `<!doctype html><html lang="${lang}"><head>${head}</head><body>\n${toHtml(blocks)}\n</body></html>`;
  return {
    leave_url,
    count,
    html,
    text: toMarkdown(blocks),
    reference: formatLongRange(view.days, lang),
  };
}

export const newsletterPage = defineForm<TokenRequest, NewsletterPage>({
  name: 'newsletter',
  routes: tokenRoutes(newsletterPath),
  handle: (state, request, visit) => (visit ? handleReader(state, visit, request) : UNAVAILABLE),
});
