// What the screens of things show: one with its form and what is decided over it, and all that was edited.
import type { EventDetail } from '../../domain/agenda.ts';
import type { Decision, StatusOverride } from '../../domain/change.ts';
import type { UndoCheck } from '../../desk/decide.ts';
import type { HistoryKind } from '../../domain/history.ts';
import type { FieldChoices, Fields, FieldShape } from '../../domain/edit/form.ts';

/** One field in the words of several: of before and after, or of source and desk. */
export interface FieldLines {
  readonly label: string;
  readonly says: readonly { readonly who: string; readonly words: string }[];
  /** The source has changed since the desk said otherwise. */
  readonly is_unsure: boolean;
}

/** A decision with the words and the place of what it is about, and whether it can be undone. */
export interface DecisionLine extends UndoCheck {
  readonly decision: Decision;
  readonly title: string;
  /** Null where there is nothing to show. */
  readonly path: string | null;
  /** What it changed of a thing, before and after. */
  readonly changes: readonly FieldLines[];
}

/** One field of the form. */
export interface EditField {
  readonly name: string;
  readonly shape: FieldShape;
  /** What it says with the desk's word. */
  readonly words: string;
  readonly is_edited: boolean;
  /** To tell whether it was touched, and whether somebody else did so meanwhile. */
  readonly seen: string;
  readonly is_open: boolean;
}

/** Fields under a heading of the sender's form; null of a thing that senders have no form for. */
export interface EditSection {
  readonly heading: string | null;
  readonly fields: readonly EditField[];
}

/** What is decided over an event as the agenda shows it. */
export interface EventActs {
  readonly detail: EventDetail;
  /** In a release already or not yet. */
  readonly overrides: readonly StatusOverride[];
  /** Those ahead, YYYY-MM-DD. */
  readonly days: readonly string[];
  /** Repeated after a refusal; empty otherwise. */
  readonly values: Fields;
}

/** The form of a thing, with what the desk says over its source. */
export interface ThingForm {
  readonly kind: HistoryKind;
  readonly id: string;
  readonly title: string;
  readonly sections: readonly EditSection[];
  readonly is_edited: boolean;
  /** Whether its source says something else than when it was edited. */
  readonly is_outdated: boolean;
  /** The fields in which it is another than its source. */
  readonly said: readonly FieldLines[];
  readonly values: Fields;
  /** By path of a field. */
  readonly issues: ReadonlyMap<string, string>;
  readonly reason: string;
  /** The reference of a reader's report that it is edited for; empty for none. */
  readonly report: string;
  readonly choices: FieldChoices;
}

export interface ThingScreen {
  readonly screen: 'thing';
  readonly form: ThingForm;
  readonly file: string;
  /** Null where a reader sees none. */
  readonly page_path: string | null;
  /** Null of anything but an event that a release shows. */
  readonly acts: EventActs | null;
  readonly history: readonly DecisionLine[];
}

/** A thing that is edited, with the fields in which it is another than its source. */
export interface EditLine {
  readonly kind: HistoryKind;
  readonly title: string;
  readonly path: string;
  readonly fields: readonly string[];
}

export interface EditsScreen {
  readonly screen: 'edits';
  readonly left_out: readonly { readonly line: string; readonly path: string | null }[];
  readonly outdated: readonly EditLine[];
  readonly held: readonly EditLine[];
}

/** A thing that was searched for. */
export interface FoundThing {
  readonly kind: HistoryKind;
  readonly title: string;
  readonly path: string;
}
