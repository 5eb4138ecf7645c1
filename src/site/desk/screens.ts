// What the desk shows: the frame that every screen has, the screens, and what a screen is made of.
import type { EventDetail } from '../../domain/agenda.ts';
import type { StoredCorrection } from '../../domain/correction.ts';
import type { RowAddition, StoredBatch } from '../../domain/batch/batch.ts';
import type { Actor, DecisionAction, StatusOverride } from '../../domain/change.ts';
import type { DueFact, Fall } from '../../domain/knowledge.ts';
import type { Lang, LocalText } from '../../domain/lang.ts';
import type { MailNews } from '../../domain/mail.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import type { ReleaseNews } from '../../domain/health.ts';
import type { Site } from '../../domain/site.ts';
import type { QueueQuestion, QueueItem } from '../../domain/queue.ts';
import type { Additions } from '../../domain/submission/additions.ts';
import type { HeldWords, StoredSubmission } from '../../domain/submission/submission.ts';
import type { SubmissionWarning } from '../../domain/submission/doubts.ts';
import type { NOTICE_TEXTS } from '../../desk/notices.ts';
import type { Queue } from '../../desk/queue.ts';
import type { Session } from '../../desk/sign-in.ts';
import type {
  DecisionLine,
  EditLine,
  EditsScreen,
  FieldLines,
  FoundThing,
  ThingForm,
  ThingScreen,
} from './edit-screens.ts';
import type { Choice, FormState } from '../forms/read-form.ts';
import type { SiteState } from '../state.ts';
import type { Visit } from '../visit.ts';
import type { AccountScreen, PeopleScreen } from './access-screens.ts';
import type { TextIssues } from './issues.ts';

/** One request to the desk by somebody who is in. */
export interface DeskRequest {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly actor: Actor;
  readonly session: Session;
}

/** A screen with its status; `notice` stands above it. */
export interface ScreenResult {
  readonly kind: 'screen';
  readonly screen: Screen;
  readonly status: number;
  readonly notice: string | null;
}

export const toScreen = (
  screen: Screen,
  status = 200,
  notice: string | null = null,
): ScreenResult => ({ kind: 'screen', screen, status, notice });

/** Around every screen. */
export interface Frame {
  readonly lang: Lang;
  readonly site: Site;
  /** Null before the login. */
  readonly editor: string | null;
  /** For the hidden field of every form. */
  readonly csrf: string;
  /** What just happened, or what is wrong. */
  readonly notice: string | null;
  readonly is_error: boolean;
  /** Submissions and corrections. */
  readonly waiting: number;
  /** Facts that are due to be looked at again. */
  readonly due: number;
  /** Where letters do not arrive; null where they do, or nothing is mailed. */
  readonly mail: MailNews | null;
}

/** One item of the queue as a line. */
export interface QueueLine {
  readonly item: QueueItem;
  readonly path: string;
  /** Of a reader's report, what it is about. */
  readonly report: CorrectionLine | null;
  readonly warnings: readonly SubmissionWarning[];
  readonly duplicates: number;
}

/** A correction with the places of what it is about; null where there is none. */
export interface CorrectionLine {
  readonly stored: StoredCorrection;
  readonly page_path: string | null;
  readonly thing_path: string | null;
}

export interface CorrectionScreen {
  readonly screen: 'correction';
  /** Null where it does not wait. */
  readonly journey: Journey | null;
  /** What was just decided on the item before. */
  readonly last: DecisionLine | null;
  readonly line: CorrectionLine;
  /** What it is about, to be mended; null where it does not wait, or that is gone. */
  readonly thing: ThingForm | null;
  /** Repeated after a refusal. */
  readonly reason: string;
  readonly history: readonly DecisionLine[];
  /** What is private of it; null where nothing is held. */
  readonly held: HeldWords | null;
}

export interface Duplicate {
  /** Its reference, or the id of the event. */
  readonly reference: string;
  readonly title: string;
  readonly place: string | null;
  readonly path: string;
}

/** Where an editor stands while working through the queue. */
export interface Journey {
  /** The queue as it was asked for, to be sent along. */
  readonly query: string;
  readonly queue_path: string;
  /** Null where nothing else waits there. */
  readonly next_path: string | null;
  /** How many wait there, this one included. */
  readonly left: number;
}

export interface ItemScreen {
  readonly screen: 'item';
  /** Null where it does not wait. */
  readonly journey: Journey | null;
  /** What was just decided on the item before. */
  readonly last: DecisionLine | null;
  readonly stored: StoredSubmission;
  /** It is decided, and may be taken up again. */
  readonly is_reopenable: boolean;
  readonly form: FormState;
  readonly additions: Additions;
  /** By addition, or by the path of a field of content/. */
  readonly addition_issues: ReadonlyMap<string, string>;
  readonly detail: EventDetail | null;
  readonly duplicates: readonly Duplicate[];
  readonly warnings: readonly SubmissionWarning[];
  /** Repeated after a refusal. */
  readonly reason: string;
  /** What it was said to be a duplicate of, repeated too. */
  readonly named: string;
  /** What readers were to be told, repeated too. */
  readonly note: LocalText;
  /** What was decided on it before, the newest first. */
  readonly history: readonly DecisionLine[];
  /** What its sender changed since then. */
  readonly changes: readonly FieldLines[];
  /** What the desk says over the published event. */
  readonly overrides: readonly StatusOverride[];
  /** Its event once it is approved. */
  readonly thing_path: string | null;
  /** What is private of it; null where nothing is held. */
  readonly held: HeldWords | null;
}

export interface NoticesScreen {
  readonly screen: 'notices';
  readonly open: readonly {
    readonly id: string;
    readonly title: string;
    readonly severity: NoticeRecord['severity'];
    readonly is_closed: boolean;
    readonly edit_path: string;
  }[];
  /** The controls of its texts, one for each language. */
  readonly texts: typeof NOTICE_TEXTS;
  readonly values: Readonly<Record<string, string>>;
  readonly issues: ReadonlyMap<string, string>;
  readonly zones: readonly { readonly key: string; readonly name: string }[];
}

export interface QueueScreen {
  readonly screen: 'queue';
  readonly question: QueueQuestion;
  readonly queue: Queue;
  readonly lines: readonly QueueLine[];
  readonly decisions: readonly DecisionLine[];
  readonly news: ReleaseNews;
}

/** A fact that is due, and what becomes of it where nobody looks. */
export interface DueLine {
  readonly fact: DueFact;
  /** Null of what does not fall. */
  readonly fall: Fall | null;
  /** Null where it has no page. */
  readonly path: string | null;
  /** Null where it cannot be edited. */
  readonly edit_path: string | null;
}

export interface DueScreen {
  readonly screen: 'due';
  /** What is edited and was changed at its source since. */
  readonly outdated: readonly EditLine[];
  /** The longest overdue first; `count` may be more than are shown. */
  readonly groups: readonly {
    readonly name: 'overdue' | 'soon';
    readonly lines: readonly DueLine[];
    readonly count: number;
  }[];
}

export type Screen =
  | { readonly screen: 'login'; readonly name: string; readonly ticket: string | null }
  | QueueScreen
  | ItemScreen
  | {
      readonly screen: 'events';
      readonly q: string;
      readonly events: readonly EventDetail['event'][];
      readonly is_cut: boolean;
      /** Places, organizers, notices and events of any day that a search means. */
      readonly things: readonly FoundThing[];
    }
  | ThingScreen
  | EditsScreen
  | CorrectionScreen
  | NoticesScreen
  | LogScreen
  | BatchScreen
  | AccountScreen
  | PeopleScreen
  | DueScreen
  | { readonly screen: 'missing' };

/** A page of the log, and how its decisions were chosen. */
export interface LogScreen {
  readonly screen: 'log';
  /** What was chosen, as typed; empty for all. */
  readonly chosen: { readonly editor: string; readonly action: string; readonly q: string };
  readonly editors: readonly string[];
  readonly actions: readonly DecisionAction[];
  readonly lines: readonly DecisionLine[];
  readonly count: number;
  readonly page: number;
  /** Addresses of the pages beside this one; null where there is none. */
  readonly newer: string | null;
  readonly older: string | null;
}

export interface BatchLine {
  readonly stored: StoredSubmission;
  readonly form: FormState;
  /** As it will look; null where it cannot be shown. */
  readonly detail: EventDetail | null;
  readonly additions: Readonly<Record<RowAddition, string>>;
  readonly warnings: readonly SubmissionWarning[];
  readonly duplicates: readonly Duplicate[];
  /** Why it was not approved just now. */
  readonly issues: TextIssues;
  readonly is_picked: boolean;
}

export interface BatchScreen {
  readonly screen: 'batch';
  readonly batch: StoredBatch;
  readonly lines: readonly BatchLine[];
  /** The names of known places, offered to all of them. */
  readonly places: readonly Choice[];
  /** How many wait; more than are shown have pages. */
  readonly waiting: number;
  /** Where its form is sent: what is left comes back on the same screen. */
  readonly action: string;
  /** The screen before and after this one; null where there is none. */
  readonly before: string | null;
  readonly after: string | null;
  /** What waits no more. */
  readonly others: readonly StoredSubmission[];
  readonly reason: string;
  readonly history: readonly DecisionLine[];
  /** Null where nothing of it waits. */
  readonly journey: Journey | null;
  /** What was just decided, on this or on the item before. */
  readonly last: DecisionLine | null;
}
