// The tables of the inbox, as both SQLite and PostgreSQL have them. JSON is text here, flags are 1 or 0.
import type { Generated } from 'kysely';
import type * as v from 'valibot';
import type { ChangeRowSchema, Decision, SubmissionState } from '../domain/change.ts';
import type { PublishedSlug, Revision } from '../domain/ledger.ts';
import type { MailKind } from '../domain/mail-limits.ts';
import type { CalendarImport } from '../domain/calendar-import.ts';

/** Those that the table fills in where nobody says them. */
type ChangeDefault = 'id' | 'revision' | 'state' | 'is_doubtful' | 'is_forgotten';
type ChangeTable = Omit<v.InferInput<typeof ChangeRowSchema>, 'is_published'>;

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
  changes: Omit<ChangeTable, ChangeDefault> & {
    [Name in ChangeDefault]: Generated<ChangeTable[Name]>;
  } & {
    told: SubmissionState | null;
    /** Of its first text, and of the token of its address. */
    digest: string | null;
    token_hash: string | null;
  };
  decisions: Omit<Decision, 'id' | 'outcomes'> & {
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
    lang: CalendarImport['lang'];
    at: string;
    at_ms: number;
    draft: string | null;
    choices: string;
    seed: string | null;
  };
  /** How the reading of what is followed stands, by the names of their files. */
  sources: {
    key: string;
    url: string;
    /** The calendar whose events those of it are; null before any came. */
    batch: number | null;
    /** What its server said of the bytes. */
    etag: string | null;
    last_modified: string | null;
    tried_ms: number;
    /** The last that was complete. */
    read_ms: number | null;
    next_ms: number;
    /** Since when none is complete; null where the last was. */
    failing_ms: number | null;
    failures: number;
    problem: string | null;
    /** JSON: how many events came how (desk/follow.ts). */
    brought: string;
    /** JSON: how often what was published was not in it, by reference. */
    missing: string;
    /** When editors were written that it is dead. */
    told_ms: number | null;
    bytes: Buffer | null;
    bytes_before: Buffer | null;
  };
  /** When each sent what in, under keyed digests of its address and network, or of its token. */
  submission_senders: {
    sender: string;
    network: string;
    channel: 'form' | 'agent' | 'report' | 'reader' | 'token';
    reference: string;
    at_ms: number;
    /** It was taken in beyond what is usual. */
    is_doubtful: Flag;
  };
  letters: {
    id: Generated<number>;
    kind: MailKind;
    /** The reference of a submission or a calendar; a day for a digest; the token of a reader. */
    subject: string;
    /** For editors a keyed digest of the address, empty for all of them; its day for a reminder or a reader; the number of a decision. */
    detail: string;
    queued_ms: number;
    at_ms: number;
    attempts: Generated<number>;
    state: Generated<'waiting' | 'failed' | 'sent' | 'run'>;
    code: number | null;
  };
  readers: {
    token_hash: string;
    email: string;
    lang: CalendarImport['lang'];
    query: string;
    asked_ms: number;
    confirmed_ms: number | null;
    /** The Thursday whose letter was queued last. */
    last_week: string | null;
    failures: Generated<number>;
  };
  /** Who wants no mail, as keyed digests; and the tokens of readers who left. */
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
  /** What machines share, in PostgreSQL only: attempts to build, and files by their path in DATA_DIR. */
  releases: {
    number: Generated<number>;
    at_ms: number;
    digest: string | null;
    schema_version: number | null;
    report: string | null;
  };
  release_files: { path: string; n: number; bytes: Buffer; used_ms: number };

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
  verification: Stamps & { id: string; identifier: string; value: string; expiresAt: string };
  twoFactor: {
    id: string;
    secret: string;
    backupCodes: string;
    userId: string;
    verified: Flag | null;
  };
}
