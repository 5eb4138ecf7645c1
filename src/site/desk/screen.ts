// What a room of the desk is asked, and what it answers with: a screen.
import type { Screen } from '../../components/desk/desk-page.ts';
import type { AppError } from '../../domain/app-error.ts';
import type { Key } from '../../i18n/translate.ts';
import type { Visit } from '../visit.ts';
import type { SiteState } from '../state.ts';

/** One question to the desk by somebody who is in. */
export interface DeskRequest {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly editor: string;
}

/** A screen with its status; `notice` is said above it. */
export interface ScreenResult {
  readonly kind: 'screen';
  readonly screen: Screen;
  readonly status: number;
  readonly notice: Key | null;
}
/** Why something could not be decided, in words for the desk. */
export function toRefusal({ message }: AppError): Key {
  if (message.startsWith('undo')) return 'desk.refused.undo';
  return message.includes('was withdrawn') ? 'desk.refused.withdrawn' : 'desk.refused.state';
}

export const toScreen = (
  screen: Screen,
  status = 200,
  notice: Key | null = null,
): ScreenResult => ({ kind: 'screen', screen, status, notice });
