// Queued messages of one kind for one reader, gathered into one letter: forty decisions are not forty
// letters, and a flood of receipts is one.
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { EDITOR_MAIL, type MailKind } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import type { Inbox } from '../inbox/open.ts';
import { deleteMail, type QueuedMail } from '../inbox/outbox.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';
import { toMailReader } from '../desk/mail.ts';
import { readBatchItem } from './batch-items.ts';
import { type LetterItem, type LetterReading, readItem } from './items.ts';

/** Most in one letter. */
const MAX_ITEMS = 20;

/** What becomes one letter. */
export interface Parcel {
  readonly kind: MailKind;
  readonly to: string;
  readonly lang: Lang;
  readonly ids: readonly number[];
  readonly items: readonly LetterItem[];
  /** How often it was tried. */
  readonly attempts: number;
}

export interface Gathering {
  readonly inbox: Inbox;
  readonly site: Site;
  readonly settings: { readonly editors: readonly string[] };
  readonly readRelease: () => ReleasedEvents | null;
}

const NO_RELEASE: ReleasedEvents = {
  generated_ms: 0,
  findSlug: () => null,
  listUnsure: () => [],
};

/** Within a transaction: the letters, in the order of what is due; what is void is deleted. */
export function gather(
  { inbox, site, settings, readRelease }: Gathering,
  due: readonly QueuedMail[],
): { readonly parcels: readonly Parcel[]; readonly not_yet: readonly number[] } {
  const sources = { inbox, site, release: readRelease() ?? NO_RELEASE };
  const editors = new Map(settings.editors.map((one) => [toMailReader(inbox, one), one]));
  const parcels = new Map<string, Parcel>();
  const not_yet: number[] = [];
  for (const mail of due) {
    const { id, kind, detail } = mail;
    const reading: LetterReading | null =
      kind === 'digest' ? null : (readBatchItem(mail, sources) ?? readItem(mail, sources));
    if (reading === 'not_yet') {
      not_yet.push(id);
      continue;
    }
    const to = EDITOR_MAIL.includes(kind) ? editors.get(detail) : reading && toAddress(reading);
    if (reading === 'void' || !to) {
      deleteMail(inbox, id);
      continue;
    }
    const lang = reading === null ? DEFAULT_LANG : reading.lang;
    // A calendar is many events already: it has a letter of its own.
    const own = reading?.item.events ? id : null;
    const key = JSON.stringify([kind, to, lang, own]);
    const { ids, items, attempts } = parcels.get(key) ?? { ids: [], items: [], attempts: 0 };
    if (ids.length === MAX_ITEMS) continue;
    parcels.set(key, {
      ...{ kind, to, lang, ids: [...ids, id] },
      items: reading === null ? [] : [...items, reading.item],
      attempts: Math.max(attempts, mail.attempts),
    });
  }
  return { parcels: [...parcels.values()], not_yet };
}

const toAddress = (reading: LetterReading): string | null =>
  typeof reading === 'string' ? null : reading.to;
