// The decisions of the desk over events that a snapshot was made without, laid over a copy of it
// (contract 14.9). No file of content/ is read: an error in one of them holds no cancellation up.
import { createHash } from 'node:crypto';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { OverrideText } from '../domain/dataset.ts';
import type { KeptDecision } from '../domain/decision.ts';
import { continueHistory, endHistory, type History } from '../domain/history.ts';
import type { Ledger, Revision } from '../domain/ledger.ts';
import { readHistory, readLastChange } from '../inbox/histories.ts';
import { readRevisionsOf } from '../inbox/ledger.ts';
import type { Inbox } from '../inbox/open.ts';
import {
  dropEvents,
  readEventRows,
  readOverrideTexts,
  readRecordText,
  readTaxonTexts,
  writeAmended,
  writeAmendedHistories,
  writeAmendedMeta,
  writeOverrides,
} from '../snapshot/amend.ts';
import {
  countRows,
  findTitle,
  inSnapshotFile,
  readVersion,
  type SnapshotFile,
  writeSnapshotFile,
} from '../snapshot/amend-file.ts';
import { type SnapshotCounts, toMeta } from '../snapshot/build.ts';
import { type AmendedEvent, amendEvent } from '../sources/amend-event.ts';
import { toDigest } from '../sources/identity.ts';
import { type Override, parseOverride, toOverrideTexts } from '../sources/inbox/override.ts';
import { readOverrides } from '../sources/inbox/read-inbox.ts';
import { toStamp } from '../sources/to-histories.ts';

/** What came of an event in an amendment; null where the snapshot has none of that id. */
export interface Amendment {
  readonly event: string;
  readonly status: AmendedEvent['status'] | 'withdrawn';
}

export interface AmendedSnapshot {
  readonly amendments: readonly Amendment[];
  /** To be written when the release serves: what is new in it. */
  readonly ledger: Ledger;
}

/** The decisions of the inbox, those that pass the schema. */
export const readDecided = (inbox: Inbox): readonly OverrideText[] =>
  toOverrideTexts(readOverrides(inbox));

/** A decision of now that a snapshot was made without. */
export interface Undecided {
  readonly event: string;
  readonly date: string;
  readonly status: KeptDecision['status'];
  /** The event's, as the snapshot has it. */
  readonly title: string;
}

/**
 * The decisions over events of the snapshot at a path that it was made without, and those that it was
 * made with and that were undone since.
 */
export const listUndecided = (path: string, decided: readonly OverrideText[]): Undecided[] =>
  inSnapshotFile(path, (db) => {
    const toKey = ({ event, date }: OverrideText): string => `${event} ${date}`;
    const before = new Map(readOverrideTexts(db).map((row) => [toKey(row), row]));
    const now = new Map(decided.map((row) => [toKey(row), row]));
    return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((key) => {
      const [was, is] = [before.get(key), now.get(key)];
      const { event, date } = is ?? was ?? { event: '', date: '' };
      const title = was?.record === is?.record ? null : findTitle(db, event);
      return title === null ? [] : [{ event, date, status: toDecidedStatus(is), title }];
    });
  });

function toDecidedStatus(row: OverrideText | undefined): Undecided['status'] {
  const override = row ? parseOverride(JSON.parse(row.record)) : null;
  if (override === null) return 'restored';
  if ('change' in override) return override.change?.status ?? 'restored';
  return override.status === 'published' ? 'restored' : override.status;
}

/**
 * Writes into the snapshot at a path, which nobody reads yet, what the inbox says of these events; what
 * it has not got is passed over. `restamped`: histories that are written with them. The inbox is only
 * read.
 */
export const amendSnapshot = (
  path: string,
  events: readonly string[],
  inbox: Inbox,
  now_ms: number,
  restamped: readonly History[] = [],
): AmendedSnapshot => writeSnapshotFile(path, (db) => amend(db, events, inbox, now_ms, restamped));

function amend(
  db: SnapshotFile,
  events: readonly string[],
  inbox: Inbox,
  now_ms: number,
  restamped: readonly History[],
): AmendedSnapshot {
  const overrides = readOverrides(inbox);
  const amended: AmendedEvent[] = [];
  const gone: string[] = [];
  for (const id of events) {
    const held = readEventRows(db, id);
    if (held === null) continue;
    const own = overrides.filter(({ event }) => event === id);
    const found = amendOne(db, held, id, own, inbox, now_ms);
    if (found === null) gone.push(id);
    else amended.push(found);
  }
  const histories = [...restamped, ...toHistories(inbox, amended, gone, now_ms)];
  writeAmended(db, amended);
  dropEvents(db, gone);
  writeAmendedHistories(db, histories);
  const texts = toOverrideTexts(overrides);
  writeOverrides(db, texts);
  writeAmendedMeta(db, toMeta(toVersion(db, texts), now_ms));
  return {
    amendments: [
      ...amended.map(({ id, status }) => ({ event: id, status })),
      ...gone.map((event) => ({ event, status: 'withdrawn' as const })),
    ],
    ledger: {
      revisions: new Map(amended.flatMap(({ revisions }): [string, Revision][] => [...revisions])),
      slugs: [],
      histories: new Map(histories.map((history) => [history.id, history])),
    },
  };
}

function amendOne(
  db: SnapshotFile,
  held: Parameters<typeof amendEvent>[0],
  id: string,
  overrides: readonly { readonly date: string; readonly override: Override }[],
  inbox: Inbox,
  now_ms: number,
): AmendedEvent | null {
  const taxa = readTaxonTexts(db);
  const around = (key: string | null): string => {
    if (key === null) return '';
    const text =
      taxa.get(key) ?? readRecordText(db, 'venues', key) ?? readRecordText(db, 'organizers', key);
    return text === null ? '' : toDigest(JSON.parse(text));
  };
  const moment = { now_ms, timestamp: formatTimestamp(now_ms) };
  const revisions = readRevisionsOf(inbox, id);
  return amendEvent(held, overrides, { revisions }, moment, around);
}

function toHistories(
  inbox: Inbox,
  amended: readonly AmendedEvent[],
  gone: readonly string[],
  now_ms: number,
): History[] {
  const now = toStamp(readLastChange(inbox), now_ms);
  return [
    ...amended.map(({ id, standing }) =>
      continueHistory(readHistory(inbox, id) ?? undefined, standing, now),
    ),
    ...gone.flatMap((id) => {
      const before = readHistory(inbox, id);
      return before === null ? [] : [endHistory(before, now)];
    }),
  ];
}

/** Another than before, the same for the same snapshot and decisions. */
const toVersion = (db: SnapshotFile, overrides: readonly OverrideText[]): string =>
  createHash('sha256')
    .update(JSON.stringify([readVersion(db), overrides]))
    .digest('base64url')
    .slice(0, 16);

/** How many of each thing a snapshot holds now. */
export const countSnapshot = (path: string): SnapshotCounts => inSnapshotFile(path, countRows);
