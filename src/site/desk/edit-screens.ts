// What the screens of edits show: one thing with its form, and all that was edited.
import type { Decision } from '../../domain/decision.ts';
import type { HistoryKind } from '../../domain/history.ts';
import type { Fields, FieldShape } from '../../domain/edit/field-shape.ts';

/** A choice of a select with its words. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** What a control needs to know of the agenda. */
export interface Choices {
  readonly venue: readonly Option[];
  readonly organizer: readonly Option[];
  readonly category: readonly Option[];
  readonly zone: readonly Option[];
}

/** One field of the form. */
export interface EditField {
  readonly name: string;
  readonly shape: FieldShape;
  /** What it says with the desk's word, as lines. */
  readonly value: unknown;
  /** What its source says now, and said when it was edited; null where all three are the same. */
  readonly over: { readonly now: unknown; readonly was: unknown } | null;
  /** To tell whether it was touched, and whether somebody else did so meanwhile. */
  readonly seen: string;
  readonly is_open: boolean;
}

/** A decision on the thing with what it changed. */
export interface EditDecision {
  readonly decision: Decision;
  readonly changes: readonly {
    readonly field: string;
    readonly before: unknown;
    readonly after: unknown;
  }[];
}

export interface EditScreen {
  readonly screen: 'edit';
  readonly kind: HistoryKind;
  readonly id: string;
  readonly title: string;
  readonly file: string;
  /** Null where a reader sees none. */
  readonly page_path: string | null;
  /** Where an event is cancelled and so on; null of anything else. */
  readonly desk_path: string | null;
  readonly fields: readonly EditField[];
  readonly is_edited: boolean;
  /** Whether its source says something else than when it was edited. */
  readonly is_outdated: boolean;
  readonly values: Fields;
  /** By path of a field. */
  readonly issues: ReadonlyMap<string, string>;
  readonly reason: string;
  readonly choices: Choices;
  readonly history: readonly EditDecision[];
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
