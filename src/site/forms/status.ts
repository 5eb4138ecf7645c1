// The status page of a submission, by its secret address: how it stands, and what its sender may
// still do.
import type { PageMeta } from '../../components/layout/page-meta.ts';
import { AppError } from '../../domain/app-error.ts';
import { toCleanText } from '../../domain/clean-text.ts';
import { toFormValues } from '../../domain/submission/form.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import type { Lang, LocalText } from '../../domain/lang.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { toStatusPath } from '../../i18n/service-paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toSubmittedEventId } from '../../sources/inbox/merge-inbox.ts';
import { toPreview } from '../../desk/preview.ts';
import { getEvent } from '../../snapshot/get-event.ts';
import {
  correctSubmission,
  MAX_MESSAGE,
  requestChange,
  withdrawSubmission,
} from '../../desk/correct.ts';
import type { KeptSubmission } from '../../domain/submission/state.ts';
import { getSubmissionByToken } from '../../inbox/submissions.ts';
import type { Visit } from '../visit.ts';
import type { SiteState } from '../state.ts';
import { toApproval, toKnown } from './known.ts';
import { type Led, lead, show, type Shown } from './outcome.ts';
import { answerForm, REFUSALS, type SubmitPage } from './submit.ts';

export interface StatusPage {
  readonly meta: PageMeta;
  readonly kept: KeptSubmission;
  readonly path: string;
  /** The page of the event, once a release shows it. */
  readonly event_path: string | null;
  readonly detail: EventDetail | null;
  readonly notice: string | null;
}

export type StatusAnswer =
  | Shown<{ readonly status: StatusPage } | { readonly correction: SubmitPage }>
  | Led
  | null;

/** The answer at a token; null where no submission has it. */
export function answerStatus(
  state: SiteState,
  visit: Visit,
  token: string,
  lang: Lang,
): StatusAnswer {
  const kept = getSubmissionByToken(visit.inbox, token);
  if (kept === null) return null;
  const path = toStatusPath(token, lang);
  const does = visit.method === 'POST' ? visit.fields.does : visit.query.does;
  if (does === 'correct' || visit.fields.step !== undefined)
    return answerCorrection(state, visit, kept, path, lang);
  if (visit.method === 'GET') return show({ status: toPage(state, kept, token, lang, null) });
  if (visit.refusal !== null)
    return show(
      { status: toPage(state, kept, token, lang, REFUSALS[visit.refusal]) },
      visit.refusal,
    );
  const fault = act(state, visit, kept, does);
  return fault === null
    ? lead(path)
    : show({ status: toPage(state, kept, token, lang, fault) }, 422);
}

/** Does what was asked; gives what is wrong with it. */
function act(
  { now_ms }: SiteState,
  visit: Visit,
  { reference }: KeptSubmission,
  does: string | undefined,
): Key | null {
  const { inbox, sender, fields } = visit;
  try {
    if (does === 'withdraw') {
      withdrawSubmission(inbox, reference);
      return null;
    }
    if (does !== 'cancel' && does !== 'postpone') return 'status.refused.unknown';
    const message = toCleanText(fields.message ?? '').slice(0, MAX_MESSAGE);
    if (message === '') return 'status.refused.no_message';
    requestChange(inbox, { reference, sender, now_ms, asks: does, message });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return thrown.code === 'rate_limited' ? 'submit.refused.too_many' : 'status.refused.state';
  }
}

function answerCorrection(
  state: SiteState,
  visit: Visit,
  kept: KeptSubmission,
  path: string,
  lang: Lang,
): StatusAnswer {
  const { inbox, sender } = visit;
  const answer = answerForm(state, visit, {
    lang,
    action: `${path}?does=correct`,
    paths: null,
    correcting: kept.reference,
    initial: toFormValues(kept.submission),
    may_have_begun: true,
    keep: (submission) => {
      correctSubmission(inbox, {
        reference: kept.reference,
        sender,
        now_ms: state.now_ms,
        submission,
      });
      return path;
    },
  });
  return answer.kind === 'led' ? answer : { ...answer, page: { correction: answer.page } };
}

function toPage(
  state: SiteState,
  kept: KeptSubmission,
  token: string,
  lang: Lang,
  notice: Key | null,
): StatusPage {
  const { snapshot, now_ms, site } = state;
  const published = kept.is_published
    ? getEvent(snapshot, toSubmittedEventId(kept.reference), now_ms)
    : null;
  const event_path =
    published === null || published === 'gone'
      ? null
      : toThingPath('event', published.event.slug, lang);
  const paths: LocalText = { es: toStatusPath(token, 'es'), en: toStatusPath(token, 'en') };
  return {
    kept,
    event_path,
    path: paths[lang],
    notice: notice && t(lang, notice),
    detail: toPreview(
      kept.submission,
      {},
      toApproval(snapshot, now_ms, kept),
      toKnown(snapshot),
      now_ms,
    ),
    meta: {
      lang,
      site,
      paths,
      is_private: true,
      markdown: null,
      calendar: null,
      json_ld: null,
      entry: null,
      title: t(lang, 'status.title', { reference: kept.reference }),
      description: t(lang, 'status.description'),
    },
  };
}
