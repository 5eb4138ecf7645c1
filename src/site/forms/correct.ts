// The form by which a reader says what has changed in a thing: shown, shown again with what is wrong,
// taken in, and the thanks after it (contract 14.11).
import { sendCorrection } from '../../desk/propose.ts';
import { getCorrection } from '../../inbox/changes.ts';
import { toLocalDay } from '../../domain/local-time.ts';
import {
  CORRECTABLE,
  type Correctable,
  type CorrectedThing,
  pickCorrectionValues,
  readCorrection,
} from '../../domain/correction.ts';
import type { SubmissionIssue } from '../../domain/submission/rules.ts';
import type { ReaderChange } from '../../domain/change.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { toCorrectPath, toDayPath, toPagePath, toThingPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { getEvent, getOrganizer, getVenue } from '../../snapshot/get-thing.ts';
import { CLOSED, type Failure, GONE, NOT_FOUND } from '../page.ts';
import { defineForm, type PageRequest, toRoutes } from '../page-kind.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { toSentence } from './read-form.ts';
import { findStampFault, reuseStamp, takeIn, toFormMeta } from './refused.ts';

/** A thing as a release has it, with the page where a reader sees it. */
interface CorrectableThing extends CorrectedThing {
  readonly path: string;
}

/** The thing with this id or slug; why there is none. */
export function findCorrectable(
  { snapshot, now_ms }: SiteState,
  kind: Correctable,
  id_or_slug: string,
  lang: Lang,
): CorrectableThing | Failure {
  if (kind === 'notice') {
    const notice = snapshot.notices.get(id_or_slug) ?? null;
    if (notice === null) return NOT_FOUND;
    // In force it stands on the page of notices, before that on its first day's.
    const is_ahead = notice.start_ms > now_ms;
    const day = toLocalDay(notice.start_ms).toString();
    const path = is_ahead ? toDayPath(day, lang) : toPagePath('notices', lang);
    return { kind, id: notice.id, title: notice.title[lang], path };
  }
  if (snapshot.findId(kind, id_or_slug) === 'gone') return GONE;
  if (kind === 'event') {
    const detail = getEvent(snapshot, id_or_slug, now_ms);
    if (detail === null || detail === 'gone') return NOT_FOUND;
    const { id, title, slug } = detail.event;
    return { kind, id, title: title[lang], path: toThingPath(kind, slug, lang) };
  }
  const thing = (kind === 'venue' ? getVenue : getOrganizer)(snapshot, id_or_slug);
  if (thing === null) return NOT_FOUND;
  return { kind, id: thing.id, title: thing.name, path: toThingPath(kind, thing.slug, lang) };
}

/** The id under which the desk can change it: a notice is edited by its file, which gives one for each of its days. */
export const toThingId = ({ kind, thing }: Pick<ReaderChange, 'kind' | 'thing'>): string =>
  kind === 'notice' ? (thing.split('-')[0] ?? thing) : thing;

interface CorrectRequest extends PageRequest {
  readonly about: Correctable;
  readonly id: string;
}

export type CorrectPage = Awaited<ReturnType<typeof toPage>>;

/** The answer to any request for the form of one thing. */
export async function handleCorrect(
  state: SiteState,
  visit: Visit,
  request: CorrectRequest,
): Promise<Shown<CorrectPage> | Redirect | Failure> {
  const { lang } = request;
  const about = findCorrectable(state, request.about, request.id, lang);
  if (about.kind === 'failure') return about;
  const { inbox, fields, sender, refusal, method } = visit;
  const { now_ms } = state;
  const { correction, issues } = readCorrection(pickCorrectionValues(fields));
  const form = await toPage(state, visit, about, issues, lang);
  const again = (notice: Key | null, status: number) =>
    show({ ...form, notice: notice && t(lang, notice) }, status);
  if (method === 'GET') return show(form);
  if (refusal !== null) return again(REFUSALS[refusal], refusal);
  if (fields.homepage) return again('submit.refused.trap', 422);
  if (correction === null) return again(null, 422);
  const fault = findStampFault(visit, now_ms);
  if (fault !== null) return again(fault, 422);
  return takeIn(
    async () => {
      const arrival = { correction, about, lang, sender, now_ms };
      const { reference } = await sendCorrection(inbox, arrival);
      return redirect(`${form.action}?sent=${reference}`);
    },
    lang,
    now_ms,
    (notice) => ({ ...form, notice }),
  );
}

/** `issues`: what is wrong with what was sent. */
async function toPage(
  { now_ms, site }: SiteState,
  visit: Visit,
  about: CorrectableThing,
  issues: readonly SubmissionIssue[],
  lang: Lang,
  notice: string | null = null,
) {
  const { fields, method, refusal } = visit;
  const paths = byLang((one) => toCorrectPath(about.kind, about.id, one));
  // Nothing is wrong yet with what was not sent.
  const is_sent = fields.change !== undefined || (method !== 'GET' && refusal === null);
  return {
    about,
    values: pickCorrectionValues(fields),
    /** The first sentence of each control. */
    issues: new Map(
      (is_sent ? issues.toReversed() : []).map((one) => [one.field, toSentence(one, lang)]),
    ),
    /** What is wrong with the whole. */
    notice,
    action: paths[lang],
    stamp: reuseStamp(visit, now_ms),
    /** The reference of what was just sent; null for the form. */
    sent: await findSent(visit, about),
    meta: toFormMeta({
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
  { inbox, method, query }: Visit,
  { kind, id }: CorrectableThing,
): Promise<string | null> {
  const stored = method === 'GET' && query.sent ? await getCorrection(inbox, query.sent) : null;
  return stored?.kind === kind && stored.thing === id ? stored.reference : null;
}

export const correctPage = defineForm<CorrectRequest, CorrectPage>({
  name: 'correct',
  routes: CORRECTABLE.flatMap((about) =>
    toRoutes(
      byLang((lang) => toCorrectPath(about, '[id]', lang)),
      (lang, id) => ({ lang, about, id }),
    ),
  ),
  handle: (state, request, visit) => (visit ? handleCorrect(state, visit, request) : CLOSED),
});
