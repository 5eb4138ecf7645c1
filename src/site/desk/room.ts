// What the desk is made of: rooms, each with what it shows and what its forms do; what is told above a screen;
// and how an editor gets from one item of the queue to the next.
import type { Session } from '../../desk/sign-in.ts';
import { readQueue } from '../../desk/queue.ts';
import type { AppError, ErrorReason } from '../../domain/app-error.ts';
import { type Actor, MAX_REASON } from '../../domain/change.ts';
import { PASSWORD_LENGTH } from '../../domain/editor.ts';
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import { type QueueQuestion, readQueueQuestion, toQueueQuery } from '../../domain/queue.ts';
import { toIssueWords } from '../../i18n/edit-words.ts';
import { DESK_PATHS } from '../../i18n/paths.ts';
import { isKey, t } from '../../i18n/translate.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, type Visit } from '../visit.ts';

/** One request to the desk by somebody who is in. */
export interface DeskRequest {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly actor: Actor;
  readonly session: Session;
}

/** What is told above a screen, and its status. */
export interface Told {
  readonly status: number;
  readonly notice: string | null;
}
export const NOTHING_TOLD: Told = { status: 200, notice: null };

/** The view of a screen under the name of its component. */
export interface Screen extends Told {
  readonly kind: 'screen';
  readonly name: string;
  readonly view: object;
}
export const toScreen = (name: string, view: object, told: Told = NOTHING_TOLD): Screen => ({
  kind: 'screen',
  name,
  view,
  ...told,
});

/** Its screen, with what was typed where a form was refused, and `more` that only the form brought up. */
export type Show<M> = (told: Told, more?: M) => Promise<Screen>;
type Answer = Promise<Screen | Redirect>;

interface RoomParts<T, M> {
  /** That of its component. */
  readonly name: string;
  /** What the id behind its address names; null for nothing. */
  readonly find: (request: DeskRequest, id: string) => Promise<T | null>;
  readonly load: (request: DeskRequest, thing: T, more?: M) => Promise<object>;
  /** What a form that is sent there does. Throws AppError where it cannot. */
  readonly act?: (request: DeskRequest, thing: T, show: Show<M>) => Answer;
}

/** A room at an address; null where it has none of that id. */
export type Room = (
  request: DeskRequest,
  id: string,
) => Promise<{ readonly show: Show<never>; readonly act: (() => Answer) | null } | null>;

export const defineRoom =
  <T, M = never>({ name, find, load, act }: RoomParts<T, M>): Room =>
  async (request, id) => {
    const thing = await find(request, id);
    if (thing === null) return null;
    const show: Show<M> = async (told, more) =>
      toScreen(name, await load(request, thing, more), told);
    return { show, act: act ? () => act(request, thing, show) : null };
  };

/** Of a room that is of no one thing. */
export const findNone = async (_: DeskRequest, id: string): Promise<'' | null> =>
  id === '' ? id : null;

/** What was just done, after the redirect back. */
export function tellDone({ query, lang }: Visit): Told {
  const key = `desk.done.${query.done}`;
  return { status: 200, notice: isKey(key) ? t(lang, key) : null };
}

/** What was typed is wrong. For any other reason, something has changed meanwhile. */
const WRONG: readonly (ErrorReason | null)[] = [
  'no_reason',
  'no_words',
  'reason_too_long',
  'no_such_day',
  'no_such_duplicate',
  'as_it_was',
  'picture_gone',
  'bad_name',
  'last_editor',
  'no_such_editor',
  'no_such_session',
  'weak_password',
  'wrong_password',
  'wrong_code',
  'factor_there',
  'busy',
];

/** Why something could not be done. */
export function tellRefused({ code, reason }: AppError, lang: Lang): Told {
  const status = code === 'unavailable' ? 503 : WRONG.includes(reason) ? 422 : 409;
  const key = `desk.refused.${reason}`;
  const limit = reason === 'weak_password' ? PASSWORD_LENGTH.min : MAX_REASON;
  return { status, notice: t(lang, isKey(key) ? key : 'desk.refused.state', { limit }) };
}

/** What is wrong with a field, in the editor's language. */
export const sayIssue = (
  { rule, message }: { readonly rule: string; readonly message: string },
  lang: Lang,
): string => (rule === 'missing' ? t(lang, 'submit.issue.missing') : toIssueWords(message, lang));

/** What readers are to be told of a cancellation or postponement, as an editor typed it. */
export const readNote = (fields: Readonly<Record<string, string>>): LocalText =>
  byLang((lang) => fields[`note_${lang}`] ?? '');

/** What the queue was asked for: behind the address, or in the form of an item. */
export const readPlace = ({ method, query, fields }: Visit): QueueQuestion =>
  readQueueQuestion(
    method === 'GET' ? query : Object.fromEntries(new URLSearchParams(fields.from ?? '')),
  );

type Query = Readonly<Record<string, string>>;

/** An address that keeps the place in the queue, with what was just done. */
function withPlace(path: string, question: QueueQuestion, told: Query = {}): string {
  const query = [toQueueQuery(question), new URLSearchParams(told).toString()].filter(Boolean);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** The address of an item, as above. */
export const toItemPath = (reference: string, question: QueueQuestion, told?: Query): string =>
  withPlace(`${DESK_PATHS.items}/${reference}`, question, told);

/** Where an editor who works through the queue stands at an item. */
export async function readJourney({ state, visit }: DeskRequest, reference: string) {
  const question = readPlace(visit);
  const { snapshot, now_ms } = state;
  const { asked } = await readQueue(visit.inbox, snapshot, question, now_ms);
  const at = asked.findIndex((item) => item.reference === reference);
  const next = asked[at + 1] ?? asked.find((item) => item.reference !== reference) ?? null;
  return {
    /** The queue as it was asked for, to be sent along. */
    query: toQueueQuery(question),
    queue_path: withPlace(DESK_PATHS.queue, question),
    /** Null where nothing else waits there. */
    next_path: next && toItemPath(next.reference, question),
    /** How many wait there, this one included. */
    left: asked.length,
    /** To what comes after it, or to the queue, once it is decided. */
    goOn: (done: string): Redirect => {
      const told = { done, of: reference };
      return redirect(
        next === null
          ? withPlace(DESK_PATHS.queue, question, told)
          : toItemPath(next.reference, question, told),
      );
    },
  };
}

/** Back to the queue after something was done that is not of it. */
export const redirectToQueue = (done: string): Redirect =>
  redirect(`${DESK_PATHS.queue}?done=${done}`);
