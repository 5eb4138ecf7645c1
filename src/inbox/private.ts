// Where private words stand in the inbox, and how they go: from every text under a reference (contract 14.26).
import * as v from 'valibot';
import { PRIVATE_FIELDS } from '../domain/submission/private-fields.ts';
import { type Change, isSaid, listChanges } from './changes.ts';
import { noteErased } from './compact.ts';
import type { Inbox } from './open.ts';

const NAMES: readonly string[] = PRIVATE_FIELDS;
const ObjectSchema = v.record(v.string(), v.unknown());

/** A text without what is private of it; a reader's own words are private as a whole. */
const clearText = ({ asks, text }: Change): object => ({
  ...Object.fromEntries(
    Object.entries(v.parse(ObjectSchema, text)).map(([name, value]) => [
      name,
      NAMES.includes(name) ? null : value,
    ]),
  ),
  ...(asks === 'check' ? { change: '' } : {}),
});

const clearDraft = ({ draft }: Change): object | null =>
  draft && Object.fromEntries(Object.entries(draft).filter(([name]) => !NAMES.includes(name)));

/**
 * Clears all that was sent under a reference; within a transaction. Whether there is something. The digest of a
 * text goes with it: an address could be tried against it.
 */
export function clearPrivate(inbox: Inbox, reference: string): boolean {
  const changes = listChanges(inbox, 'reference = ?', reference);
  const clear = inbox.prepare(
    'update changes set text = ?, draft = ?, message = null, digest = null, is_forgotten = 1 where id = ?',
  );
  for (const change of changes) {
    const draft = clearDraft(change);
    clear.run(JSON.stringify(clearText(change)), draft && JSON.stringify(draft), change.id);
  }
  noteErased(inbox);
  return changes.length > 0;
}

/** Of whom private words are held, with what says for how long. */
export interface PrivateHolder extends Pick<Change, 'reference' | 'state' | 'text'> {
  readonly reference: string;
  readonly is_report: boolean;
  /** Timestamp. */
  readonly received_at: string;
  readonly decided_at: string | null;
  /** What the agenda is told of it; null where nothing is. */
  readonly publication: unknown;
}

const isHeld = ({ text, message, draft, asks }: Change): boolean => {
  const said = v.is(ObjectSchema, text) ? text : {};
  return (
    message !== null ||
    (asks === 'check' && said.change !== '') ||
    NAMES.some((name) => (said[name] ?? draft?.[name] ?? null) !== null)
  );
};

const At = v.array(v.object({ reference: v.string(), at: v.string() }));

/** What was sent in and holds something private: all, or what has a reference. */
export function listPrivateHolders(
  inbox: Inbox,
  reference: string | null = null,
): readonly PrivateHolder[] {
  const changes =
    reference === null
      ? listChanges(inbox, 'reference is not null and is_forgotten = 0 order by id')
      : listChanges(inbox, 'reference = ? order by id', reference);
  const decided = v.parse(
    At,
    inbox
      .prepare(
        `select reference, max(decisions.at) as at from changes join decisions on decisions.id = decided
         where reference is not null and (?1 is null or reference = ?1) group by reference`,
      )
      .all({ 1: reference }),
  );
  const decided_at = new Map(decided.map(({ reference: own, at }) => [own, at]));
  return [...Map.groupBy(changes, (change) => change.reference ?? '')].flatMap(([own, all]) => {
    const newest = all.findLast(({ state }) => state !== 'replaced' && state !== 'undone');
    if (newest === undefined || !all.some(isHeld)) return [];
    const published = all.find(
      (change) => change.state === 'applied' && isSaid(change) && change.record !== null,
    );
    return [
      {
        reference: own,
        state: newest.state,
        text: newest.text,
        is_report: newest.asks === 'check',
        received_at: newest.at,
        decided_at: decided_at.get(own) ?? null,
        publication: published?.record ?? null,
      },
    ];
  });
}

/** The references of what was forgotten. */
export const listForgotten = (inbox: Inbox): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox.prepare('select distinct reference from changes where is_forgotten = 1').pluck().all(),
  );
