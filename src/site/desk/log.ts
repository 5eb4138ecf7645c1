// The log of the desk: every decision with its number, filtered and by pages, and the way back of each.
import { type Decision, type DecisionAction, DECISIONS } from '../../domain/change.ts';
import { undo } from '../../desk/decide.ts';
import { toEventId } from '../../desk/known.ts';
import { toCleanLine } from '../../domain/clean-text.ts';
import { DESK_PATHS, withQuery } from '../../i18n/paths.ts';
import {
  countLog,
  findSubjects,
  getDecision,
  listDeciders,
  listLog,
  type LogFilter,
} from '../../inbox/decisions.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import { redirect } from '../visit.ts';
import { toDecisionLines } from './decisions.ts';
import { redirectToQueue } from './journey.ts';
import { showQueue } from './queue.ts';
import { type DeskRequest, type Room, toScreen } from './room.ts';

const A_PAGE = 30;
const MAX_SUBJECTS = 500;
const MAX_WORDS = 100;

export const logRoom: Room = {
  show: async (request, _, told) => toScreen('log', await readView(request), told),
};

/** Undoes the decision of a number; back to where the button was. */
export const undoRoom: Room = {
  show: (request, id, told) =>
    (request.visit.fields.from === 'log' ? logRoom.show : showQueue)(request, id, told),
  act: async ({ visit: { inbox, fields, readReleaseNews }, actor }) => {
    const { is_building } = await readReleaseNews();
    await undo(inbox, Number(fields.id), actor, { is_building, reason: fields.reason ?? '' });
    return fields.from === 'log'
      ? redirect(`${DESK_PATHS.log}?done=undone`)
      : redirectToQueue('undone');
  },
};

/** How its decisions were chosen, as typed; empty for all. */
interface Chosen {
  readonly editor: string;
  readonly action: string;
  readonly q: string;
}

export type LogView = Awaited<ReturnType<typeof readView>>;

/** A page of it, as the address chooses it. */
async function readView(request: DeskRequest) {
  const { inbox, query } = request.visit;
  const { editor = '', action = '', q = '' } = query;
  const chosen: Chosen = { editor, action, q: toCleanLine(q).slice(0, MAX_WORDS) };
  const { count, list } = await find(request, chosen);
  const last = Math.max(1, Math.ceil(count / A_PAGE));
  const page = Math.min(last, Math.max(1, Math.floor(Number(query.page)) || 1));
  const toPath = (number: number): string | null => {
    if (number < 1 || number > last) return null;
    const asked = Object.entries({ ...chosen, page: String(number) });
    return withQuery(DESK_PATHS.log, Object.fromEntries(asked.filter(([, text]) => text !== '')));
  };
  return {
    chosen,
    editors: await listDeciders(inbox),
    actions: DECISIONS,
    lines: await toDecisionLines(request, await list((page - 1) * A_PAGE)),
    count,
    page,
    newer: toPath(page - 1),
    older: toPath(page + 1),
  };
}

interface Found {
  readonly count: number;
  readonly list: (offset: number) => Promise<readonly Decision[]>;
}

/** One by its number, or those that were chosen. */
async function find(request: DeskRequest, { editor, action, q }: Chosen): Promise<Found> {
  const { inbox } = request.visit;
  const number = /^(?:n\.?º ?|#)?(\d{1,9})$/i.exec(q)?.[1];
  if (number !== undefined) {
    const decision = await getDecision(inbox, Number(number));
    const list = decision === null ? [] : [decision];
    return { count: list.length, list: async () => list };
  }
  const filter: LogFilter = {
    editor: editor || null,
    action: DECISIONS.find((one): one is DecisionAction => one === action) ?? null,
    subjects: q === '' ? null : await toSubjects(request, q),
  };
  return {
    count: await countLog(inbox, filter),
    list: (offset) => listLog(inbox, filter, A_PAGE, offset),
  };
}

/** References and ids that somebody means: one of them, an event's address, or words of a title. */
async function toSubjects({ state, visit }: DeskRequest, q: string): Promise<readonly string[]> {
  const name = q.replace(/^.*\//, '');
  const detail = getEvent(state.snapshot, name.toLowerCase(), state.now_ms);
  const event = detail === null || detail === 'gone' ? [] : [detail.event.id];
  const references = [name.toUpperCase(), ...(await findSubjects(visit.inbox, q, MAX_SUBJECTS))];
  return [name, ...event, ...references, ...references.map(toEventId)];
}
