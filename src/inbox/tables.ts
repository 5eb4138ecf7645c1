// The tables of the inbox, as both SQLite and PostgreSQL have them. JSON is text here, flags are 1 or 0.
import type { Generated } from 'kysely';
import * as v from 'valibot';
import {
  CHANGE_ASKS,
  CHANGE_DOORS,
  CHANGE_MAKERS,
  CHANGE_STATES,
  type Decision,
} from '../domain/change.ts';
import { HISTORY_KINDS } from '../domain/history.ts';
import type { PublishedSlug, Revision } from '../domain/ledger.ts';
import type { MailKind } from '../domain/mail.ts';
import type { StoredBatch } from '../domain/batch.ts';
import type { SubmissionState } from '../domain/submission/submission.ts';

const json = <S extends v.GenericSchema>(schema: S) =>
  v.nullable(v.pipe(v.string(), v.parseJson(), schema));
/** A column that is 1 or 0. */
const flag = v.pipe(
  v.number(),
  v.transform((one) => one === 1),
);

export const ChangeRow = v.object({
  id: v.number(),
  /** When it was asked for: timestamp. */
  at: v.string(),
  maker: v.picklist(CHANGE_MAKERS),
  door: v.picklist(CHANGE_DOORS),
  kind: v.picklist(HISTORY_KINDS),
  /** The id of what it is about; null where that is known by the reference alone. */
  thing: v.nullable(v.string()),
  /** `HC-7K3M9Q`: the same for all that is asked under one token; null of an editor's own. */
  reference: v.nullable(v.string()),
  /** From 1; one more with each thing that its sender asks. */
  revision: v.number(),
  asks: v.picklist(CHANGE_ASKS),
  title: v.string(),
  /** The days that are meant, YYYY-MM-DD; null is all of it. */
  dates: json(v.array(v.string())),
  /** The sender's words to the desk. */
  message: v.nullable(v.string()),
  /** As whoever asks wrote it. */
  text: json(v.unknown()),
  /** An editor's work on the text, by control. */
  draft: json(v.record(v.string(), v.string())),
  /** What the agenda is told by it; null until it was applied once. */
  record: json(v.unknown()),
  /** Of an edit, what the source said then. */
  source: json(v.unknown()),
  state: v.picklist(CHANGE_STATES),
  /** The number of the decision by which it stands so. */
  decided: v.nullable(v.number()),
  reason: v.nullable(v.string()),
  is_doubtful: flag,
  /** What is private of it was erased. */
  is_forgotten: flag,
  /** The calendar that it came with, by what name, saying what. */
  batch: v.nullable(v.number()),
  uid: v.nullable(v.string()),
  uid_digest: v.nullable(v.string()),
});

/** Those that the table fills in where nobody says them. */
type ChangeDefault = 'id' | 'revision' | 'state' | 'is_doubtful' | 'is_forgotten';
type ChangeColumns = v.InferInput<typeof ChangeRow>;

type Flag = 0 | 1;
/** As better-auth has them: ISO texts. */
interface Stamps {
  createdAt: string;
  updatedAt: string;
}

export interface Tables {
  /** What must survive rebuilds. */
  revisions: { id: string } & Omit<Revision, 'former_digest'>;
  slugs: PublishedSlug;
  histories: { id: string; digest: string; changed_at: string; record: string };
  /** Random bytes that belong to this inbox alone, by name. */
  secrets: { name: string; value: Buffer };
  api_keys: {
    id: string;
    name: string;
    hash: string;
    created_at: string;
    last_used_on: string | null;
    revoked_at: string | null;
  };
  changes: Omit<ChangeColumns, ChangeDefault> & {
    [Name in ChangeDefault]: Generated<ChangeColumns[Name]>;
  } & {
    told: SubmissionState | null;
    /** Of its first text, and of the token of its address. */
    digest: string | null;
    token_hash: string | null;
  };
  decisions: Omit<Decision, 'id'> & {
    id: Generated<number>;
    outcomes: Generated<string>;
    weight: Generated<'none' | 'agenda' | 'urgent'>;
  };
  /** Calendars that were brought in. */
  batches: {
    id: Generated<number>;
    token_hash: string;
    reference: string | null;
    sender: string;
    name: string;
    url: string | null;
    lang: StoredBatch['lang'];
    at: string;
    at_ms: number;
    draft: string | null;
    choices: string;
    seed: string | null;
  };
  /** When each sent what in, under keyed digests of its address and network, or of its token. */
  submission_senders: {
    sender: string;
    network: string;
    channel: 'form' | 'agent' | 'report' | 'token';
    reference: string;
    at_ms: number;
    /** It was taken in beyond what is usual. */
    is_doubtful: Flag;
  };
  letters: {
    id: Generated<number>;
    kind: MailKind;
    /** The reference of a submission or a calendar; a day for a digest. */
    subject: string;
    /** For editors a keyed digest of the address, empty for all of them; for a reminder its day; the number of a decision. */
    detail: string;
    queued_ms: number;
    at_ms: number;
    attempts: Generated<number>;
    state: Generated<'waiting' | 'failed' | 'sent' | 'run'>;
    code: number | null;
  };
  /** Who wants no mail, as keyed digests. */
  mail_stops: { reader: string };
  login_attempts: { id: Generated<number>; who: string; at_ms: number };
  /** `unused_ms`: since when nothing that was sent in needs it; null while something does. */
  uploads: {
    id: string;
    sender: string;
    unused_ms: number | null;
    width: number;
    height: number;
    bytes: Buffer;
  };

  // Those of better-auth, as far as they are used here.
  user: Stamps & {
    id: string;
    name: string;
    email: string;
    emailVerified: Flag;
    username: string | null;
    twoFactorEnabled: Flag | null;
  };
  session: Stamps & {
    id: string;
    token: string;
    expiresAt: string;
    userAgent: string | null;
    userId: string;
  };
  account: Stamps & {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    password: string | null;
  };
  verification: Stamps & {
    id: string;
    identifier: string;
    value: string;
    expiresAt: string;
  };
  twoFactor: {
    id: string;
    secret: string;
    backupCodes: string;
    userId: string;
    verified: Flag | null;
  };
}
