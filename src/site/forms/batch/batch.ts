// The private address of a calendar that was brought in: while somebody chooses, the choice; after
// that, how each event stands, what can be taken back, and the calendar brought again (contract 14.35).
import { NOT_FOUND } from '../../page.ts';
import { defineForm, type TokenRequest, toTokenRoutes } from '../../page-kind.ts';
import { AppError } from '../../../domain/app-error.ts';
import type { BatchDraft, StoredBatch } from '../../../domain/batch/batch.ts';
import type { FeedProblem } from '../../../domain/batch/feed-event.ts';
import { byLang, type Lang } from '../../../domain/lang.ts';
import type { StoredSubmission } from '../../../domain/submission/submission.ts';
import { listSent } from '../../../desk/batch-sent.ts';
import { getBatchByToken, openBatch } from '../../../desk/batches.ts';
import { dropDraft, sendBatch, withdrawBatch } from '../../../desk/send-batch.ts';
import { findShown } from '../../../desk/sender-desk.ts';
import { toBatchPath, toPagePath, toStatusPath } from '../../../i18n/paths.ts';
import { toFeedWhen } from '../../../i18n/feed-words.ts';
import { toStatusWords } from '../../../i18n/submission-status.ts';
import { t } from '../../../i18n/translate.ts';
import type { PageMeta } from '../../page.ts';
import type { SiteState } from '../../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../../visit.ts';
import { erasePrivate, type Privacy, readPrivacy } from '../private.ts';
import { toRefused, toRetry } from '../refused.ts';
import { toProblemStatus } from './bring.ts';
import {
  type ChoosePage,
  keepChoices,
  readChosen,
  suggestChoices,
  toChoosePage,
} from './choose.ts';

export interface SentLine {
  readonly stored: StoredSubmission;
  readonly when: string;
  /** How it stands, in words. */
  readonly stage: string;
  /** Its own private address; null where it cannot be told any more. */
  readonly path: string | null;
}

export interface BatchPage {
  readonly meta: PageMeta;
  readonly path: string;
  readonly batch: StoredBatch;
  readonly lines: readonly SentLine[];
  /** Whether anything of it can be taken back. */
  readonly has_waiting: boolean;
  readonly notice: string | null;
  /** What is private of all of it. */
  readonly privacy: Privacy;
}

type BatchShown = Shown<{ readonly choose: ChoosePage } | { readonly batch: BatchPage }>;
type BatchResult = BatchShown | Redirect;

interface Own {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly batch: StoredBatch;
  readonly token: string;
  readonly lang: Lang;
}

/** The answer at a token; null where no batch has it. */
export async function handleBatch(
  state: SiteState,
  visit: Visit,
  token: string,
  lang: Lang,
): Promise<BatchResult | null> {
  const batch = await getBatchByToken(visit.inbox, token);
  if (batch === null) return null;
  const own: Own = { state, visit, batch, token, lang };
  if (visit.refusal !== null) return showAsIs(own, t(lang, REFUSALS[visit.refusal]), visit.refusal);
  if (visit.method === 'GET')
    return showAsIs(own, visit.query.erased ? t(lang, 'status.erased') : null, 200);
  if (visit.calendar !== null) return bringAgain(own, visit.calendar);
  if (visit.fields.does === 'withdraw') {
    await withdrawBatch(visit.inbox, batch);
    return redirect(toBatchPath(token, lang));
  }
  if (visit.fields.does === 'erase' && batch.reference !== null) {
    const references = (await listSent(visit.inbox, batch)).map(({ stored }) => stored.reference);
    return erasePrivate(visit, batch.reference, references, toBatchPath(token, lang));
  }
  if (batch.draft === null) return redirect(toBatchPath(token, lang));
  if (visit.fields.does === 'drop') {
    await dropDraft(visit.inbox, batch);
    return redirect(
      batch.reference === null ? toPagePath('import', lang) : toBatchPath(token, lang),
    );
  }
  return send(own, batch.draft);
}

async function showAsIs(own: Own, notice: string | null, status: number): Promise<BatchShown> {
  const { state, batch } = own;
  if (batch.draft === null) return show({ batch: await toBatchPage(own, notice) }, status);
  const choices = suggestChoices(state, batch, batch.draft);
  const shown = { ...toShown(own), notice, ready: 0 };
  return show({ choose: toChoosePage(state, batch, batch.draft, choices, shown) }, status);
}

async function bringAgain(
  own: Own,
  calendar: NonNullable<Visit['calendar']>,
): Promise<BatchResult> {
  const { state, visit, batch, token, lang } = own;
  const { when, retry_seconds } = toRetry(visit.retry_at_ms, lang, state.now_ms);
  const fail = async (problem: FeedProblem): Promise<BatchResult> => ({
    ...(await showAsIs(
      own,
      t(lang, `batch.problem.${problem}`, { when }),
      toProblemStatus(problem),
    )),
    retry_seconds,
  });
  if ('problem' in calendar) return fail(calendar.problem);
  const arrived = {
    ...calendar,
    lang: batch.lang,
    sender: visit.sender,
    now_ms: state.now_ms,
  };
  const opened = await openBatch(visit.inbox, state.snapshot, arrived, { batch, token });
  return 'problem' in opened ? await fail(opened.problem) : redirect(toBatchPath(token, lang));
}

/** Sends what is ticked, where all of it is complete or only what is complete is wanted. */
async function send(own: Own, draft: BatchDraft): Promise<BatchResult> {
  const { state, visit, batch, token, lang } = own;
  const { fields, inbox, sender } = visit;
  const chosen = readChosen(state, batch, draft, fields, lang);
  const again = (notice: string | null, status: number): Shown<{ choose: ChoosePage }> => {
    const shown = {
      ...toShown(own),
      notice,
      ready: chosen.incomplete > 0 ? chosen.ready.length : 0,
    };
    return show({ choose: toChoosePage(state, batch, draft, fields, shown, chosen) }, status);
  };
  if (chosen.incomplete > 0 && (fields.does !== 'send_ready' || chosen.ready.length === 0))
    return again(null, 422);
  try {
    await sendBatch(inbox, {
      batch,
      chosen: chosen.ready,
      choices: keepChoices(draft, fields),
      cancelled_message: t(batch.lang, 'batch.cancelled'),
      sender,
      now_ms: state.now_ms,
    });
    return redirect(toBatchPath(token, lang));
  } catch (thrown) {
    const refused = toRefused(thrown, lang, state.now_ms);
    if (refused !== null)
      return {
        ...again(refused.notice, refused.status),
        retry_seconds: refused.retry_seconds,
      };
    if (thrown instanceof AppError && thrown.reason === 'nothing_chosen')
      return again(t(lang, 'batch.refused.none'), 422);
    throw thrown;
  }
}

async function toBatchPage(own: Own, notice: string | null): Promise<BatchPage> {
  const { state, visit, batch, lang } = own;
  const sent = await listSent(visit.inbox, batch);
  return {
    ...toShown(own),
    batch,
    notice,
    has_waiting: sent.some(
      ({ stored }) => stored.state === 'pending' || stored.state === 'changes_requested',
    ),
    privacy: await readPrivacy(
      visit,
      sent.map(({ stored }) => stored),
    ),
    lines: sent.map(({ stored, token: own_token }) => ({
      stored,
      when: toFeedWhen(stored.submission, lang),
      stage: toStatusWords(stored, findShown(stored, state.snapshot, state.now_ms).as, lang).stage,
      path: own_token && toStatusPath(own_token, lang),
    })),
  };
}

function toShown({ state, batch, token, lang }: Own): Pick<BatchPage, 'meta' | 'path'> {
  const paths = byLang((one) => toBatchPath(token, one));
  const title = batch.draft === null ? 'batch.sent.title' : 'batch.choose.title';
  return {
    path: paths[lang],
    meta: {
      lang,
      site: state.site,
      paths,
      is_private: true,
      markdown: null,
      calendar: null,
      json_ld: null,
      entry: 'submit',
      title: t(lang, title),
      description: t(lang, 'batch.text'),
    },
  };
}

export const batchPage = defineForm<TokenRequest, ChoosePage | BatchPage>({
  name: 'batch',
  routes: toTokenRoutes(toBatchPath),
  handle: async (state, { token, lang }, visit) => {
    const result = visit && (await handleBatch(state, visit, token, lang));
    if (result === null) return NOT_FOUND;
    if (result.kind === 'redirect') return result;
    const { page } = result;
    return 'batch' in page
      ? { ...result, page: page.batch }
      : { ...result, page: page.choose, component: 'choose' };
  },
});
