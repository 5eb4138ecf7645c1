// What a page says of itself in its head: its name, its addresses and its other forms.
import type { Lang, LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { PageName } from '../../i18n/paths.ts';

export interface PageMeta {
  readonly lang: Lang;
  /** Without the site's name. */
  readonly title: string;
  /** One sentence, plain text. */
  readonly description: string;
  /**
   * Canonical paths in both languages; null for a page that is no address of its own (an error).
   */
  readonly paths: LocalText | null;
  /** Known to its holder alone: not to be indexed, its address said nowhere in the head. */
  readonly is_private?: true;
  /** Path of the Markdown twin. */
  readonly markdown: string | null;
  /** Path of the calendar file that follows this page. */
  readonly calendar: string | null;
  /** Structured data (schema.org). */
  readonly json_ld: object | null;
  /** The entry of the menu that this page is. */
  readonly entry: PageName | null;
  readonly site: Site;
}
