// A calendar that was brought in, on the desk: its events in one table, each with what an editor would
// add, decided all or some at once (contract 14.36).
import { AppError } from '../../domain/app-error.ts';
import type { StoredBatch } from '../../domain/batch/batch.ts';
import { MAX_REASON } from '../../domain/decision.ts';
import { pickAdditions } from '../../domain/submission/additions.ts';
import { listWarnings } from '../../domain/submission/warnings.ts';
import { findTaxon } from '../../domain/taxon.ts';
import {
  approveBatch,
  type BatchApproval,
  type ChosenItem,
  listWaiting,
  refuseBatch,
} from '../../desk/batch-review.ts';
import { listSent } from '../../desk/batch-sent.ts';
import { toKnown } from '../../desk/known.ts';
import { suggestSummary } from '../../desk/preview.ts';
import { toReason } from '../../i18n/canned.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getBatch } from '../../inbox/batches.ts';
import { listPending } from '../../inbox/submissions.ts';
import { type Redirect, redirect } from '../visit.ts';
import { readHistory, readLast } from './decision-lines.ts';
import { planNext, readJourney, readPlace, toItemPath } from './next.ts';
import { toDoneNotice } from './done.ts';
import { findDuplicates } from './duplicates.ts';
import { NO_ISSUES, toTextIssues } from './issues.ts';
import { readSentBack } from './sent-back.ts';
import { toRefusal, toRefusalStatus } from './refusals.ts';
import {
  BATCH_ADDITIONS,
  type BatchAddition,
  type BatchScreen,
  type DeskRequest,
  type ScreenResult,
  toScreen,
} from './screens.ts';

/** Events of a batch on one screen: as many as fit into one form with their texts. */
const ROWS_SHOWN = 40;
export const toBatchControl = (name: BatchAddition | 'revision', reference: string): string =>
  `${name}_${reference}`;

/** The answer at the address of one; null where there is none. */
export async function handleBatch(
  request: DeskRequest,
  reference: string,
): Promise<ScreenResult | Redirect | null> {
  const batch = await getBatch(request.visit.inbox, reference);
  if (batch === null) return null;
  if (request.visit.method === 'GET') return showBatch(request, batch);
  try {
    return await decide(request, batch);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const { lang } = request.visit;
    const notice =
      thrown.reason === 'nothing_chosen'
        ? t(lang, 'desk.refused.nothing_picked')
        : toRefusal(thrown, lang, MAX_REASON.sender);
    return showBatch(request, batch, toRefusalStatus(thrown), notice);
  }
}

/** The same with what was typed; null where there is none. */
export async function showBatchAgain(
  request: DeskRequest,
  reference: string,
  status: number,
  notice: string,
): Promise<ScreenResult | null> {
  const batch = await getBatch(request.visit.inbox, reference);
  return batch && (await showBatch(request, batch, status, notice));
}

function listChosen({ visit }: DeskRequest): readonly ChosenItem[] {
  const { fields } = visit;
  const references = [...new Set((fields.pick ?? '').split(',').filter(Boolean))];
  return references.map((reference) => ({
    reference,
    revision: Number(fields[toBatchControl('revision', reference)]),
    edits: Object.fromEntries(
      BATCH_ADDITIONS.map((name) => [name, fields[toBatchControl(name, reference)] ?? '']),
    ),
  }));
}

async function decide(request: DeskRequest, batch: StoredBatch): Promise<ScreenResult | Redirect> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const reference = batch.reference ?? '';
  const leave = await planNext(request, reference);
  /** What is left of it, or what comes after it. */
  const goOn = async (done: string): Promise<Redirect> =>
    (await listWaiting(inbox, batch)).length === 0
      ? leave(done)
      : redirect(
          toItemPath({ kind: 'batch', reference }, readPlace(visit), { done, of: reference }),
        );
  const chosen = listChosen(request);
  const refusal = readSentBack(fields.does ?? '');
  if (refusal !== null) {
    const words = toReason(refusal.chosen, fields.reason ?? '', batch.lang);
    await refuseBatch(inbox, actor, batch, chosen, refusal.action, words);
    return goOn(refusal.action);
  }
  // Enter in a line of text is no decision.
  if (fields.does !== 'approve') return showBatch(request, batch);
  const { approved, left } = await approveBatch(
    inbox,
    toKnown(state.snapshot),
    actor,
    batch,
    chosen,
  );
  if (left.size === 0) return goOn('approve');
  const notice = [
    t(lang, 'desk.batch.done.approved', { count: approved.length }),
    t(lang, 'desk.batch.done.left', { count: left.size }),
  ].join(' ');
  return showBatch(request, batch, 422, notice, left);
}

async function showBatch(
  request: DeskRequest,
  batch: StoredBatch,
  status = 200,
  notice: string | null = null,
  left: BatchApproval['left'] = new Map(),
): Promise<ScreenResult> {
  const { state, visit } = request;
  const { inbox, query, fields, lang } = visit;
  const all = await listWaiting(inbox, batch);
  const asked = Number(query.from ?? 0);
  const from = Number.isInteger(asked) && asked > 0 && asked < all.length ? asked : 0;
  const pending = await listPending(inbox);
  const picked = new Set((fields.pick ?? '').split(','));
  const toPath = (at: number): string => `${DESK_PATHS.batches}/${batch.reference}?from=${at}`;
  const screen: BatchScreen = {
    screen: 'batch',
    batch,
    waiting: all.length,
    action: toPath(from),
    before: from > 0 ? toPath(Math.max(0, from - ROWS_SHOWN)) : null,
    after: from + ROWS_SHOWN < all.length ? toPath(from + ROWS_SHOWN) : null,
    others: (await listSent(inbox, batch))
      .map(({ stored }) => stored)
      .filter(({ state: own }) => own !== 'pending'),
    reason: fields.reason ?? '',
    history: await readHistory(request, batch.reference ?? ''),
    journey: all.length === 0 ? null : await readJourney(request, batch.reference ?? ''),
    last: await readLast(request),
    lines: all.slice(from, from + ROWS_SHOWN).map((stored) => {
      const { reference } = stored;
      const refused = left.get(reference);
      const { description, venue, venue_name } = stored.submission;
      const written = { summary: suggestSummary(description), ...pickAdditions(stored.draft) };
      const toText = (name: BatchAddition): string =>
        fields[toBatchControl(name, reference)] ?? written[name] ?? '';
      const known = venue === null ? null : toKnown(state.snapshot).getVenue(venue);
      return {
        stored,
        place: known?.name ?? venue_name ?? '',
        category:
          findTaxon(state.snapshot.taxonomy.categories, stored.submission.category)?.name[lang] ??
          '',
        additions: {
          other_title: toText('other_title'),
          summary: toText('summary'),
          other_summary: toText('other_summary'),
        },
        warnings: listWarnings(stored.submission, state.now_ms),
        duplicates: findDuplicates(state, stored, pending, lang),
        issues: refused ? toTextIssues(refused, lang) : NO_ISSUES,
        is_picked: visit.method === 'GET' || picked.has(reference),
        controls: {
          other_title: toBatchControl('other_title', reference),
          summary: toBatchControl('summary', reference),
          other_summary: toBatchControl('other_summary', reference),
          revision: toBatchControl('revision', reference),
        },
      };
    }),
  };
  return toScreen(screen, status, notice ?? toDoneNotice(visit));
}
