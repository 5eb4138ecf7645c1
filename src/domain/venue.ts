// What a venue is (interface 2, Venue).
import type { LocalText } from './lang.ts';

export interface VenueRecord {
  /** `ve_` and ten characters. */
  readonly id: string;
  readonly slug: LocalText;
  readonly name: string;
  readonly description: LocalText | null;
  readonly address: string | null;
  readonly locality: string;
  readonly postal_code: string | null;
  readonly zone: string | null;
  /** Degrees, WGS 84; both or neither. */
  readonly lat: number | null;
  readonly lng: number | null;
  readonly website: string | null;
  readonly phone: string | null;
  readonly social: readonly string[];
  readonly capacity: number | null;
  readonly accessibility: LocalText | null;
  readonly updated_at: string;
}
