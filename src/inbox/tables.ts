// Inbox tables: declares their columns, which are the same in SQLite and PostgreSQL. JSON is text, flags are 1 or 0.
// `…_ms` are epoch milliseconds, `…_at` and `at` timestamps with the local offset, `…_on` local days (YYYY-MM-DD).
// Some names are older than the terms of README.md and stay, because they are stored: comments translate them.
import type { Generated } from 'kysely';
import type * as v from 'valibot';
import type { ChangeRowSchema, Decision, SubmissionState } from '../domain/change.ts';
import type { PublishedSlug, Revision } from '../domain/ledger.ts';
import type { MailKind } from '../domain/mail-limits.ts';
import type { CalendarImport } from '../domain/calendar-import.ts';

/** Columns of `changes` with a default, which an insert may omit. */
type ChangeDefault = 'id' | 'revision' | 'state' | 'is_doubtful' | 'is_forgotten';
/** The other columns, documented in domain/change.ts. `is_published` is computed by a query. */
type ChangeTable = Omit<v.InferInput<typeof ChangeRowSchema>, 'is_published'>;

type Flag = 0 | 1;
/** Timestamps of better-auth: ISO 8601 texts. */
interface Timestamps {
  createdAt: string;
  updatedAt: string;
}

export interface Tables {
  // Ledger, which outlives every release.
  /** Current revision of each record: digest, time of the last change, sequence number and status. */
  revisions: { id: string } & Revision;
  /** All slugs ever published. */
  slugs: PublishedSlug;
  /** `record`: JSON of a RecordHistory, with the times when a record was added, changed and removed. */
  histories: { id: string; digest: string; changed_at: string; record: string };
  /** Random bytes of this inbox, by name; also marks, such as the one of a due compaction (erase.ts). */
  secrets: { name: string; value: Buffer };
  api_keys: {
    id: string;
    /** Name of the holder. */
    name: string;
    /** SHA-256 of the key. */
    hash: string;
    created_at: string;
    last_used_on: string | null;
    revoked_at: string | null;
  };
  /** Proposals to alter the agenda. */
  changes: Omit<ChangeTable, ChangeDefault> & {
    [Name in ChangeDefault]: Generated<ChangeTable[Name]>;
  } & {
    /** Status that an email last reported to the sender; null if no email reported this revision. */
    told: SubmissionState | null;
    /** Digest of the text as first submitted, to detect a repeated submission; null for later changes. */
    digest: string | null;
    /** SHA-256 of the status token, the secret part of the sender's private address; null for later changes. */
    token_hash: string | null;
  };
  /** Log of the editors' decisions. */
  decisions: Omit<Decision, 'id' | 'outcomes'> & {
    id: Generated<number>;
    /** JSON: ChangeOutcome[]. */
    outcomes: Generated<string>;
    /** Effect on releases: no effect, part of the next release, or reason for an immediate one. */
    weight: Generated<'none' | 'agenda' | 'urgent'>;
  };
  /** Imported calendars: one per calendar that a sender uploaded or that a followed source brought. */
  batches: {
    id: Generated<number>;
    /** SHA-256 of the import token, the secret part of the sender's private address. */
    token_hash: string;
    /** `HC-7K3M9Q`; null until events of it are submitted. */
    reference: string | null;
    /** Keyed digest of the sender's network address while a draft is open; then empty. */
    sender: string;
    /** The calendar's own name; may be empty. */
    name: string;
    /** Source URL; null for an uploaded file. */
    url: string | null;
    lang: CalendarImport['lang'];
    /** Time of the last import or submission, as timestamp for people. */
    at: string;
    /** Time of the last import, for limits and expiry. */
    at_ms: number;
    /** JSON: the parsed events while the sender selects some; null if nothing is to be selected. */
    draft: string | null;
    /** JSON: the sender's answers at the last submission, by control name. */
    choices: string;
    /** Random text from which the import token is derived again; null for imports older than the column. */
    seed: string | null;
  };
  /** Fetch state of followed sources; `key` is the name of the source's file in content. */
  sources: {
    key: string;
    /** Fetched address. */
    url: string;
    /** Row of `batches` that its events are linked to; null before the first event. */
    batch: number | null;
    /** Validators of the last response, for conditional requests. */
    etag: string | null;
    last_modified: string | null;
    /** Time of the last fetch, successful or not. */
    tried_ms: number;
    /** Time of the last complete fetch. */
    read_ms: number | null;
    /** Time of the next fetch. */
    next_ms: number;
    /** Time of the first failure since the last complete fetch; null if the last fetch was complete. */
    failing_ms: number | null;
    /** Number of failed fetches in a row. */
    failures: number;
    /** Problem of the last fetch, a code (domain/imported-events.ts); null if it was complete. */
    problem: string | null;
    /** JSON: number of imported events by outcome. */
    brought: string;
    /** JSON: by reference, the number of fetches that lacked a published event. */
    missing: string;
    /** JSON: by sender of its alerts, the key of the source that used the sender first; its own key, if no other did. */
    senders: string;
    /** Time of the email that reported the source as dead to the editors; null if there was no such email. */
    told_ms: number | null;
    /** Body of the last complete fetch, which is imported again if the server answers 304. */
    bytes: Buffer | null;
    /** The last body that differed from `bytes`. */
    bytes_before: Buffer | null;
  };
  /** Log for rate limits: submissions by keyed digests of the sender's address and network, or of the API key. */
  submission_senders: {
    /** Digest of the network address or API key. */
    sender: string;
    /** Digest of the network that contains the address. */
    network: string;
    /**
     * Submissions by the `form` (also imported calendars), by an `agent` through MCP or the API; corrections
     * (`report`); newsletter subscriptions (`reader`); later changes by the sender (`token`).
     */
    channel: 'form' | 'agent' | 'report' | 'reader' | 'token';
    reference: string;
    at_ms: number;
    /** Flagged: it exceeded a soft limit. */
    is_doubtful: Flag;
  };
  /** Emails: the queue, those sent in the last day, and the last run of each daily job. */
  letters: {
    id: Generated<number>;
    kind: MailKind;
    /**
     * Subject of the email, by kind: the reference of a submission or imported calendar, the day of a daily summary,
     * or the token hash of a subscriber. Of a run: the day of the last run. Of a sent email: empty.
     */
    subject: string;
    /**
     * Detail of a queued email, by kind: the keyed digest of an editor's address (empty for all editors), the day of a
     * reminder or newsletter, or the id of a decision. Of a sent email: the keyed digest of its recipient.
     */
    detail: string;
    queued_ms: number;
    /** Time of the next attempt, of the failure, or of the delivery, by state. */
    at_ms: number;
    /** Number of delivery attempts. */
    attempts: Generated<number>;
    /** `sent` rows count for the daily limits; a `run` row records that a daily job ran. */
    state: Generated<'waiting' | 'failed' | 'sent' | 'run'>;
    /** Reply code of the SMTP server at the last failure; null if it did not reply. */
    code: number | null;
  };
  /** Newsletter subscribers. */
  readers: {
    /** SHA-256 of the token in the subscriber's private address. */
    token_hash: string;
    email: string;
    lang: CalendarImport['lang'];
    /** Query string of a feed, which selects the events of the newsletter. */
    query: string;
    /** Time of the subscription request. */
    asked_ms: number;
    /** Null until the subscriber confirms by email. */
    confirmed_ms: number | null;
    /** Date of the newsletter that was queued last; null before the first. */
    last_week: string | null;
    /** Number of newsletters in a row that the mail server rejected for good. */
    failures: Generated<number>;
  };
  /** Unsubscribed recipients: `reader` is the keyed digest of an address, or the token hash of a former subscriber. */
  mail_stops: { reader: string };
  /** Failed sign-ins: `who` is the digest of a network address. */
  login_attempts: { id: Generated<number>; who: string; at_ms: number };
  /** Uploaded pictures (uploads.ts). */
  uploads: {
    /** Derived from the picture and the inbox's secret. */
    id: string;
    /** Keyed digest of the sender's network address until a change refers to the picture; then empty. */
    sender: string;
    /** Time since which no change refers to the picture; null while a change does. */
    unused_ms: number | null;
    /** In pixels. */
    width: number;
    height: number;
    /** The file, as WebP. */
    bytes: Buffer;
  };
  // Shared by all machines, in PostgreSQL only.
  /** Build attempts. */
  releases: {
    number: Generated<number>;
    at_ms: number;
    /** Digest of the snapshot file, which is its name; null if the attempt failed or is not finished. */
    digest: string | null;
    /** Schema version of the snapshot, which tells older code that it cannot open it. */
    schema_version: number | null;
    /** JSON: report of the build. */
    report: string | null;
  };
  /** Parts of files, by path in DATA_DIR; `n` is the number of the part, from 0. */
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
