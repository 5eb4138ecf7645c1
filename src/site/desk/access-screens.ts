// What the desk shows of who is in: the own account, and everybody's.
import type { SessionLine } from '../../desk/sessions.ts';
import type { Editor } from '../../inbox/editors.ts';

export interface AccountScreen {
  readonly screen: 'account';
  readonly sessions: readonly SessionLine[];
  /** Which of them this is. */
  readonly own: string;
  readonly has_factor: boolean;
  /** A second factor that waits for its first code: to be read by a telephone, or typed. */
  readonly setup: {
    readonly secret: string;
    readonly uri: string;
    /** Its square as the path of a drawing of `size` units. */
    readonly path: string;
    readonly size: number;
  } | null;
  /** Recovery codes just made: nobody sees them again. */
  readonly codes: readonly string[] | null;
  readonly codes_left: number;
}

export interface PeopleScreen {
  readonly screen: 'people';
  readonly editors: readonly Editor[];
  readonly sessions: readonly SessionLine[];
  readonly own: string;
  /** The name of who could not be added. */
  readonly typed: string;
  /** A password just made: nobody sees it again. */
  readonly made: { readonly name: string; readonly password: string } | null;
}
