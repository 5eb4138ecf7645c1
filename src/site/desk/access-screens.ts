// What the desk shows of who is in: the own account, and everybody's.
import type { Editor, StoredSession } from '../../inbox/editors.ts';

export interface AccountScreen {
  readonly screen: 'account';
  readonly sessions: readonly StoredSession[];
  /** Which of them this is. */
  readonly own: string;
  /** `waiting` for its first code. */
  readonly factor: 'off' | 'waiting' | 'on';
  /** One that was just begun, to be read by a telephone or typed: nobody sees it again. */
  readonly setup: {
    readonly secret: string;
    readonly uri: string;
    /** Its square as the path of a drawing of `size` units. */
    readonly path: string;
    readonly size: number;
    readonly codes: readonly string[];
  } | null;
  readonly codes_left: number;
}

export interface PeopleScreen {
  readonly screen: 'people';
  readonly editors: readonly Editor[];
  readonly sessions: readonly StoredSession[];
  readonly own: string;
  /** The name of who could not be added. */
  readonly typed: string;
  /** A password just made: nobody sees it again. */
  readonly made: { readonly name: string; readonly password: string } | null;
}
