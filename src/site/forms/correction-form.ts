// Correction form: lets visitors report that a record is wrong, shows issues, and confirms the
// stored report, the correction (contract 14.11). `thing` of a stored correction: id of the
// corrected record.
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

/** A record of the current release, with the path of its public page. */
interface CorrectableRecord extends CorrectionTarget {
  readonly path: string;
}

/** Finds a record by id or slug, or returns why it cannot be corrected. */
export function findCorrectionTarget(
  { snapshot, now_ms }: PageContext,
  kind: CorrectableKind,
  id_or_slug: string,
  lang: Lang,
): CorrectableRecord | FailureResult {
  if (kind === 'notice') {
    const notice = snapshot.notices.get(id_or_slug) ?? null;
    if (notice === null) return NOT_FOUND;
    // The page of notices lists it once it is in force; before that, only the page of its first
    // day.
    const is_upcoming = notice.start_ms > now_ms;
    const day = toLocalDay(notice.start_ms).toString();
    const path = is_upcoming ? dayPath(day, lang) : pagePath('notices', lang);
    return { kind, id: notice.id, title: notice.title[lang], path };
  }
  if (snapshot.findId(kind, id_or_slug) === 'gone') return GONE;
  if (kind === 'event') {
    const detail = getEvent(snapshot, id_or_slug, now_ms);
    if (detail === null || detail === 'gone') return NOT_FOUND;
    const { id, title, slug } = detail.event;
    return { kind, id, title: title[lang], path: recordPath(kind, slug, lang) };
  }
  const record = (kind === 'venue' ? getVenue : getOrganizer)(snapshot, id_or_slug);
  if (record === null) return NOT_FOUND;
  return { kind, id: record.id, title: record.name, path: recordPath(kind, record.slug, lang) };
}

/**
 * Returns the id under which the desk edits the corrected record. A notice has one id per day, such
 * as `no_x1-2026-11-20`, but is edited as a whole, under the part before the dash.
 */
export const editableRecordId = ({
  kind,
  thing,
}: Pick<CorrectionChange, 'kind' | 'thing'>): string =>
  kind === 'notice' ? (thing.split('-')[0] ?? thing) : thing;

/** A request for the form of one record, by id or slug. */
interface CorrectionRequest extends PageRequest {
  readonly kind: CorrectableKind;
  readonly id: string;
}

/** View model of the form or, after it was stored, the confirmation. */
export type CorrectionPage = Awaited<ReturnType<typeof loadPage>>;

/** Serves the correction form of one record, and stores a submitted correction. */
export async function handleCorrection(
  context: PageContext,
  visit: VisitorRequest,
  request: CorrectionRequest,
): Promise<PageResult<CorrectionPage> | RedirectResult | FailureResult> {
  const { lang } = request;
  const target = findCorrectionTarget(context, request.kind, request.id, lang);
  if (target.kind === 'failure') return target;
  const { inbox, fields, sender, rejection, method } = visit;
  const { now_ms } = context;
  const { correction, issues } = parseCorrection(selectCorrectionValues(fields));
  const page = await loadPage(context, visit, target, issues, lang);
  const withBanner = (key: MessageKey | null, status: number) =>
    pageResult({ ...page, banner: key && t(lang, key) }, status);
  if (method === 'GET') return pageResult(page);
  if (rejection !== null) return withBanner(REJECTION_MESSAGE_KEYS[rejection], rejection);
  // The honeypot: only spam programs fill it in.
  if (fields.homepage) return withBanner('submit.refused.trap', 422);
  if (correction === null) return withBanner(null, 422);
  const token_issue = findFormTokenIssue(visit, now_ms);
  if (token_issue !== null) return withBanner(token_issue, 422);
  return tryToStore(
    async () => {
      const submitted = { correction, about: target, lang, sender, now_ms };
      const { reference } = await submitCorrection(inbox, submitted);
      return redirectAfterPost(`${page.action}?sent=${reference}`);
    },
    lang,
    now_ms,
    (banner) => ({ ...page, banner }),
  );
}

/**
 * Builds the page.
 * @param issues Issues of the submitted correction.
 * @param banner Message about the whole form; null for none.
 */
async function loadPage(
  { now_ms, site }: PageContext,
  visit: VisitorRequest,
  target: CorrectableRecord,
  issues: readonly SubmissionIssue[],
  lang: Lang,
  banner: string | null = null,
) {
  const { fields, method, rejection } = visit;
  const paths = byLang((path_lang) => correctionFormPath(target.kind, target.id, path_lang));
  // A form that was not submitted yet has no issues.
  const is_submitted = fields.change !== undefined || (method !== 'GET' && rejection === null);
  return {
    target,
    values: selectCorrectionValues(fields),
    /** Reversed, so that the first issue of each control wins. */
    issues: new Map(
      (is_submitted ? issues.toReversed() : []).map((issue) => [
        issue.field,
        formatSubmissionIssue(issue, lang),
      ]),
    ),
    /** Message about the whole form. */
    banner,
    action: paths[lang],
    form_token: reuseFormToken(visit, now_ms),
    /** Reference of the correction that was just stored; null for the form. */
    stored_reference: await findStoredReference(visit, target),
    meta: formMeta({
      lang,
      site,
      paths,
      is_private: true,
      title: t(lang, 'correct.title'),
      description: t(lang, 'correct.description', { title: target.title }),
    }),
  };
}

/**
 * Returns the reference in the query if it is a stored correction of this record: the URL alone
 * proves nothing.
 */
async function findStoredReference(
  { inbox, method, query }: VisitorRequest,
  { kind, id }: CorrectableRecord,
): Promise<string | null> {
  const stored = method === 'GET' && query.sent ? await getCorrection(inbox, query.sent) : null;
  return stored?.kind === kind && stored.thing === id ? stored.reference : null;
}

export const correctionPage = defineForm<CorrectionRequest, CorrectionPage>({
  name: 'correction',
  routes: CORRECTABLE_KINDS.flatMap((kind) =>
    routesOf(
      byLang((lang) => correctionFormPath(kind, '[id]', lang)),
      (lang, id) => ({ lang, kind, id }),
    ),
  ),
  handle: (context, request, visit) =>
    visit ? handleCorrection(context, visit, request) : UNAVAILABLE,
});
