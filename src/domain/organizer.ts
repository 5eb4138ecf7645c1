// What an organizer is (interface 2, Organizer).
import type { LocalText } from './lang.ts';

export const ORGANIZER_TYPES = ['gobierno', 'recinto', 'promotor', 'colectivo', 'marca'] as const;
export type OrganizerType = (typeof ORGANIZER_TYPES)[number];

export interface OrganizerRecord {
  /** `or_` and ten characters. */
  readonly id: string;
  readonly slug: LocalText;
  readonly name: string;
  readonly type: OrganizerType;
  readonly verified: boolean;
  readonly description: LocalText | null;
  readonly website: string | null;
  readonly social: readonly string[];
  readonly updated_at: string;
}
