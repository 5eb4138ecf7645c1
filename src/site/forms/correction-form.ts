// The form by which a reader says what has changed in a thing: shown, shown again with what is wrong,
// taken in, and the thanks after it (contract 14.11).
import { submitCorrection } from '../../desk/submissions.ts';
import { getCorrection } from '../../inbox/changes.ts';
import { toLocalDay } from '../../domain/local-time.ts';
import {
  CORRECTABLE_KINDS,
  type CorrectableKind,
  type CorrectionTarget,
  selectCorrectionValues,
  parseCorrection,
} from '../../domain/correction.ts';
import type { SubmissionIssue } from '../../domain/submission/field-rules.ts';
import type { CorrectionChange } from '../../domain/change.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { correctionFormPath, dayPath, pagePath, recordPath } from '../../i18n/paths.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-record.ts';
import { UNAVAILABLE, type FailureResult, GONE, NOT_FOUND } from '../page-meta.ts';
import { defineForm, type PageRequest, routesOf } from '../page-definition.ts';
import type { PageContext } from '../page-context.ts';
import {
  type RedirectResult,
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type PageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import { formatSubmissionIssue } from './parse-form.ts';
import { findFormTokenIssue, reuseFormToken, tryToStore, formMeta } from './form-errors.ts';

/** A thing as a release has it, with the page where a reader sees it. */
interface CorrectableThing extends CorrectionTarget {
  readonly path: string;
}

/** The thing with this id or slug; why there is none. */
export function findCorrectionTarget(
  { snapshot, now_ms }: PageContext,
  kind: CorrectableKind,
  id_or_slug: string,
  lang: Lang,
): CorrectableThing | FailureResult {
  if (kind === 'notice') {
    const notice = snapshot.notices.get(id_or_slug) ?? null;
    if (notice === null) return NOT_FOUND;
    // In force it stands on the page of notices, before that on its first day's.
    const is_ahead = notice.start_ms > now_ms;
    const day = toLocalDay(notice.start_ms).toString();
    const path = is_ahead ? dayPath(day, lang) : pagePath('notices', lang);
    return { kind, id: notice.id, title: notice.title[lang], path };
  }
  if (snapshot.findId(kind, id_or_slug) === 'gone') return GONE;
  if (kind === 'event') {
    const detail = getEvent(snapshot, id_or_slug, now_ms);
    if (detail === null || detail === 'gone') return NOT_FOUND;
    const { id, title, slug } = detail.event;
    return { kind, id, title: title[lang], path: recordPath(kind, slug, lang) };
  }
  const thing = (kind === 'venue' ? getVenue : getOrganizer)(snapshot, id_or_slug);
  if (thing === null) return NOT_FOUND;
  return { kind, id: thing.id, title: thing.name, path: recordPath(kind, thing.slug, lang) };
}

/** The id under which the desk can change it: a notice is edited by its file, which gives one for each of its days. */
export const editableRecordId = ({
  kind,
  thing,
}: Pick<CorrectionChange, 'kind' | 'thing'>): string =>
  kind === 'notice' ? (thing.split('-')[0] ?? thing) : thing;

interface CorrectRequest extends PageRequest {
  readonly about: CorrectableKind;
  readonly id: string;
}

export type CorrectionPage = Awaited<ReturnType<typeof toPage>>;

/** The answer to any request for the form of one thing. */
export async function handleCorrection(
  state: PageContext,
  visit: VisitorRequest,
  request: CorrectRequest,
): Promise<PageResult<CorrectionPage> | RedirectResult | FailureResult> {
  const { lang } = request;
  const about = findCorrectionTarget(state, request.about, request.id, lang);
  if (about.kind === 'failure') return about;
  const { inbox, fields, sender, refusal, method } = visit;
  const { now_ms } = state;
  const { correction, issues } = parseCorrection(selectCorrectionValues(fields));
  const form = await toPage(state, visit, about, issues, lang);
  const again = (notice: MessageKey | null, status: number) =>
    pageResult({ ...form, notice: notice && t(lang, notice) }, status);
  if (method === 'GET') return pageResult(form);
  if (refusal !== null) return again(REJECTION_MESSAGE_KEYS[refusal], refusal);
  if (fields.homepage) return again('submit.refused.trap', 422);
  if (correction === null) return again(null, 422);
  const fault = findFormTokenIssue(visit, now_ms);
  if (fault !== null) return again(fault, 422);
  return tryToStore(
    async () => {
      const arrival = { correction, about, lang, sender, now_ms };
      const { reference } = await submitCorrection(inbox, arrival);
      return redirectAfterPost(`${form.action}?sent=${reference}`);
    },
    lang,
    now_ms,
    (notice) => ({ ...form, notice }),
  );
}

/** `issues`: what is wrong with what was sent. */
async function toPage(
  { now_ms, site }: PageContext,
  visit: VisitorRequest,
  about: CorrectableThing,
  issues: readonly SubmissionIssue[],
  lang: Lang,
  notice: string | null = null,
) {
  const { fields, method, refusal } = visit;
  const paths = byLang((one) => correctionFormPath(about.kind, about.id, one));
  // Nothing is wrong yet with what was not sent.
  const is_sent = fields.change !== undefined || (method !== 'GET' && refusal === null);
  return {
    about,
    values: selectCorrectionValues(fields),
    /** The first sentence of each control. */
    issues: new Map(
      (is_sent ? issues.toReversed() : []).map((one) => [
        one.field,
        formatSubmissionIssue(one, lang),
      ]),
    ),
    /** What is wrong with the whole. */
    notice,
    action: paths[lang],
    stamp: reuseFormToken(visit, now_ms),
    /** The reference of what was just sent; null for the form. */
    sent: await findSent(visit, about),
    meta: formMeta({
      lang,
      site,
      paths,
      is_private: true,
      title: t(lang, 'correct.title'),
      description: t(lang, 'correct.description', { title: about.title }),
    }),
  };
}

/** Only what is stored, of this very thing: an address made up by somebody thanks for nothing. */
async function findSent(
  { inbox, method, query }: VisitorRequest,
  { kind, id }: CorrectableThing,
): Promise<string | null> {
  const stored = method === 'GET' && query.sent ? await getCorrection(inbox, query.sent) : null;
  return stored?.kind === kind && stored.thing === id ? stored.reference : null;
}

export const correctionPage = defineForm<CorrectRequest, CorrectionPage>({
  name: 'correction',
  routes: CORRECTABLE_KINDS.flatMap((about) =>
    routesOf(
      byLang((lang) => correctionFormPath(about, '[id]', lang)),
      (lang, id) => ({ lang, about, id }),
    ),
  ),
  handle: (state, request, visit) =>
    visit ? handleCorrection(state, visit, request) : UNAVAILABLE,
});
