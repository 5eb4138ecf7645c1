// A calendar that was brought in, on the desk: its events in one table, each with what an editor would
// add, decided all or some at once (contract 14.35).
import { toReason } from '../../i18n/form-words.ts';
import { toKnown } from '../../desk/known.ts';
import {
  approve,
  changeEdits,
  type Edits,
  type Left,
  listWaiting,
  readReviewedText,
  settle,
} from '../../desk/review.ts';
import { ROW_ADDITIONS, ROW_FIELDS, type StoredBatch, toRowControl } from '../../domain/batch.ts';
import type { SenderChange } from '../../domain/change.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { getBatch, listSent } from '../../inbox/batches.ts';
import { listPending } from '../../inbox/changes.ts';
import { listChoices } from '../forms/read-form.ts';
import { type Redirect, redirect } from '../visit.ts';
import { lookAt, readItem, readSentBack } from './item.ts';
import {
  type DeskRequest,
  NOTHING_TOLD,
  readJourney,
  readPlace,
  type Room,
  type Screen,
  type Told,
  toItemPath,
  toScreen,
} from './room.ts';

/** Events of a batch on one screen, and bytes of what they say: as much as fits into one form. */
const MOST_SHOWN = { rows: 40, bytes: 40_000 } as const;

export const batchRoom: Room = {
  name: 'batch',
  is_of_one: true,
  load: async (request, reference) => {
    const batch = await getBatch(request.visit.inbox, reference);
    return batch && (await readView(request, batch));
  },
  act: async (request, reference) => {
    const batch = await getBatch(request.visit.inbox, reference);
    return batch && (await decide(request, batch));
  },
};

/** `left`: what could not be approved just now, with why. */
const showBatch = async (
  request: DeskRequest,
  batch: StoredBatch,
  told: Told,
  left?: Left,
): Promise<Screen> => toScreen('batch', await readView(request, batch, left), told);

/** What was typed for one event; a place by its name, whichever it was before. */
function readTyped(fields: Edits, reference: string): Edits {
  const typed = [...ROW_FIELDS, ...ROW_ADDITIONS].flatMap((name) => {
    const value = fields[toRowControl(name, reference)];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(typed), ...(typed.length > 0 ? { venue: '' } : {}) };
}

/** What was ticked, with what was typed over it. */
function listChosen(fields: Edits, waiting: readonly SenderChange[]) {
  const references = [...new Set((fields.pick ?? '').split(',').filter(Boolean))];
  return references.map((reference) => {
    const stored = waiting.find((one) => one.reference === reference);
    return {
      reference,
      revision: Number(fields[toRowControl('revision', reference)]),
      edits: stored ? changeEdits(stored, readTyped(fields, reference)) : {},
    };
  });
}

async function decide(request: DeskRequest, batch: StoredBatch): Promise<Screen | Redirect> {
  const { state, visit, actor } = request;
  const { inbox, fields, lang } = visit;
  const { does = '', reason = '' } = fields;
  const reference = batch.reference ?? '';
  const { goOn: leave } = await readJourney(request, reference);
  /** To what is left of it, or to what comes after it. */
  const goOn = async (done: string): Promise<Redirect> => {
    if ((await listWaiting(inbox, batch)).length === 0) return leave(done);
    const told = { done, of: reference };
    return redirect(toItemPath({ reference }, readPlace(visit), told));
  };
  const chosen = listChosen(fields, await listWaiting(inbox, batch));
  const sent_back = readSentBack(does);
  if (sent_back !== null) {
    const { action, chosen: canned } = sent_back;
    const words = toReason(canned, reason, batch.lang);
    await settle(inbox, actor, action, reference, chosen, words);
    return goOn(action);
  }
  // Enter in a line of text is no decision.
  if (does !== 'approve') return showBatch(request, batch, NOTHING_TOLD);
  const known = toKnown(state.snapshot);
  const left = await approve(inbox, known, actor, reference, chosen);
  if (left.size === 0) return goOn('approve');
  const notice = [
    t(lang, 'desk.batch.done.approved', { count: chosen.length - left.size }),
    t(lang, 'desk.batch.done.left', { count: left.size }),
  ].join(' ');
  return showBatch(request, batch, { status: 422, notice }, left);
}

/** Where each screen begins: as many as fit, and one at least. */
function listStarts(waiting: readonly SenderChange[]): readonly number[] {
  const starts = [0];
  let bytes = 0;
  for (const [at, { text }] of waiting.entries()) {
    const { title, description } = text;
    // With the summary that is taken from it.
    const own = 2 * new URLSearchParams([[title, description]]).toString().length;
    const from = starts.at(-1) ?? 0;
    const is_full = at - from >= MOST_SHOWN.rows || bytes + own > MOST_SHOWN.bytes;
    if (is_full && at > from) starts.push(at);
    bytes = starts.includes(at) ? own : bytes + own;
  }
  return starts;
}

export type BatchView = Awaited<ReturnType<typeof readView>>;

async function readView(request: DeskRequest, batch: StoredBatch, left: Left = new Map()) {
  const { state, visit } = request;
  const { inbox, query, fields, lang, method } = visit;
  const reference = batch.reference ?? '';
  const all = await listWaiting(inbox, batch);
  const pending = await listPending(inbox);
  const starts = listStarts(all);
  const at = Math.max(0, starts.indexOf(Number(query.from ?? 0)));
  const toPath = (start: number | undefined): string | null =>
    start === undefined ? null : `${DESK_PATHS.items}/${reference}?from=${start}`;
  const picked = new Set((fields.pick ?? '').split(','));
  const toLine = (stored: SenderChange) => {
    const typed = readTyped(fields, stored.reference);
    const edits = Object.keys(typed).length > 0 ? changeEdits(stored, typed) : null;
    const text = readReviewedText(stored, edits, toKnown(state.snapshot), state.now_ms);
    const refused = left.get(stored.reference);
    const known = refused ? text : { ...text, issues: [] };
    return {
      ...lookAt(request, stored, known, pending, refused?.issues),
      is_picked: method === 'GET' || picked.has(stored.reference),
    };
  };
  return {
    batch,
    item: await readItem(request, { reference, waits: all.length > 0, is_reopenable: false }),
    waiting: all.length,
    /** Where its form is sent: what is left comes back on the same screen. */
    action: toPath(starts[at]) ?? '',
    before: at > 0 ? toPath(starts[at - 1]) : null,
    after: toPath(starts[at + 1]),
    /** The names of known places, offered to all of them. */
    places: listChoices(state.snapshot, lang).venue_name ?? [],
    lines: all.slice(starts[at], starts[at + 1]).map(toLine),
    /** What waits no more. */
    others: (await listSent(inbox, batch))
      .map(({ stored }) => stored)
      .filter((stored) => stored.state !== 'waiting'),
  };
}
