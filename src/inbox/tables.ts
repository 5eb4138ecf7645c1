// Inbox tables: declares their columns, which are the same in SQLite and PostgreSQL. JSON is text, flags are 1 or 0.
import type { Generated } from 'kysely';
import type * as v from 'valibot';
import type { ChangeRowSchema, Decision, SubmissionState } from '../domain/change.ts';
import type { PublishedSlug, Revision } from '../domain/ledger.ts';
import type { MailKind } from '../domain/mail-limits.ts';
import type { CalendarImport } from '../domain/calendar-import.ts';

/** Columns with a default. */
type ChangeDefault = 'id' | 'revision' | 'state' | 'is_doubtful' | 'is_forgotten';
type ChangeTable = Omit<v.InferInput<typeof ChangeRowSchema>, 'is_published'>;

type Flag = 0 | 1;
/** Timestamps of better-auth: ISO 8601 texts. */
interface Timestamps {
  createdAt: string;
  updatedAt: string;
}

export interface Tables {
  // Ledger: survives every release.
  revisions: { id: string } & Omit<Revision, 'former_digest'>;
  slugs: PublishedSlug;
  histories: { id: string; digest: string; changed_at: string; record: string };
  /** Random bytes of this inbox, by name. */
  secrets: { name: string; value: Buffer };
  api_keys: {
    id: string;
    name: string;
    hash: string;
    created_at: string;
    last_used_on: string | null;
    revoked_at: string | null;
  };
  changes: Omit<ChangeTable, ChangeDefault> & {
    [Name in ChangeDefault]: Generated<ChangeTable[Name]>;
  } & {
    /** State in the last email to the sender; null if none was sent. */
    told: SubmissionState | null;
    /** Digest of the first text. */
    digest: string | null;
    /** SHA-256 of the status token. */
    token_hash: string | null;
  };
  decisions: Omit<Decision, 'id' | 'outcomes'> & {
    id: Generated<number>;
    outcomes: Generated<string>;
    /** Effect on releases: none, part of the next one, or reason for an immediate one. */
    weight: Generated<'none' | 'agenda' | 'urgent'>;
  };
  /** Imported calendars. */
  batches: {
    id: Generated<number>;
    token_hash: string;
    reference: string | null;
    sender: string;
    name: string;
    url: string | null;
    lang: CalendarImport['lang'];
    at: string;
    at_ms: number;
    draft: string | null;
    choices: string;
    seed: string | null;
  };
  /** Fetch state of followed sources; `key` is the name of the source's file in content. */
  sources: {
    key: string;
    url: string;
    /** Row of `batches` that its events are linked to; null before the first event. */
    batch: number | null;
    /** Validators of the last response, for conditional requests. */
    etag: string | null;
    last_modified: string | null;
    /** Time of the last attempt. */
    tried_ms: number;
    /** Time of the last complete fetch. */
    read_ms: number | null;
    next_ms: number;
    /** Time of the first failure since the last complete fetch; null if the last fetch was complete. */
    failing_ms: number | null;
    failures: number;
    problem: string | null;
    /** JSON: number of imported events by outcome. */
    brought: string;
    /** JSON: by reference, the number of fetches that lacked a published event. */
    missing: string;
    /** Time of the email that reported the source as dead to the editors. */
    told_ms: number | null;
    bytes: Buffer | null;
    bytes_before: Buffer | null;
  };
  /** Log for rate limits: submissions by keyed digests of the sender's address and network, or of the API key. */
  submission_senders: {
    sender: string;
    network: string;
    channel: 'form' | 'agent' | 'report' | 'reader' | 'token';
    reference: string;
    at_ms: number;
    /** Flagged: it exceeded a soft limit. */
    is_doubtful: Flag;
  };
  /** Email queue. */
  letters: {
    id: Generated<number>;
    kind: MailKind;
    /** Reference of a submission or imported calendar, the day of a daily summary, or the token hash of a subscriber. */
    subject: string;
    /**
     * By kind: the keyed digest of an editor's address (empty for all editors), the day of a reminder or newsletter, or
     * the id of a decision.
     */
    detail: string;
    queued_ms: number;
    at_ms: number;
    attempts: Generated<number>;
    state: Generated<'waiting' | 'failed' | 'sent' | 'run'>;
    code: number | null;
  };
  /** Newsletter subscribers. */
  readers: {
    token_hash: string;
    email: string;
    lang: CalendarImport['lang'];
    query: string;
    asked_ms: number;
    confirmed_ms: number | null;
    /** Date of the newsletter that was queued last. */
    last_week: string | null;
    failures: Generated<number>;
  };
  /** Unsubscribed addresses as keyed digests, and the token hashes of former subscribers. */
  mail_stops: { reader: string };
  login_attempts: { id: Generated<number>; who: string; at_ms: number };
  /** Uploaded pictures. `unused_ms` is the time since which nothing refers to it; null while something does. */
  uploads: {
    id: string;
    sender: string;
    unused_ms: number | null;
    width: number;
    height: number;
    bytes: Buffer;
  };
  // Shared by all machines, in PostgreSQL only: build attempts, and files by their path in DATA_DIR.
  releases: {
    number: Generated<number>;
    at_ms: number;
    digest: string | null;
    schema_version: number | null;
    report: string | null;
  };
  release_files: { path: string; n: number; bytes: Buffer; used_ms: number };

  // Tables of better-auth, with the columns that are used here.
  user: Timestamps & {
    id: string;
    name: string;
    email: string;
    emailVerified: Flag;
    username: string | null;
    twoFactorEnabled: Flag | null;
  };
  session: Timestamps & {
    id: string;
    token: string;
    expiresAt: string;
    userAgent: string | null;
    userId: string;
  };
  account: Timestamps & {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    password: string | null;
  };
  verification: Timestamps & { id: string; identifier: string; value: string; expiresAt: string };
  twoFactor: {
    id: string;
    secret: string;
    backupCodes: string;
    userId: string;
    verified: Flag | null;
  };
}
