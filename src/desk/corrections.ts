// Corrections of readers: taken in with the care that a submission has, then marked done or dismissed
// by an editor (contract 14.11).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { toCleanText } from '../domain/clean-text.ts';
import type { CorrectedThing, Correction, StoredCorrection } from '../domain/correction.ts';
import type { Actor } from '../domain/decision.ts';
import type { Lang } from '../domain/lang.ts';
import { getCurrent } from '../inbox/changes.ts';
import { getCorrection, getPendingCorrection, insertCorrection } from '../inbox/corrections.ts';
import type { Inbox } from '../inbox/open.ts';
import { admit } from './allowances.ts';
import { decide } from './decide.ts';
import { checkReason } from './reason.ts';
import { toDigest } from './secret.ts';
import { findFreeReference } from './submit.ts';

export interface CorrectionArrival {
  readonly correction: Correction;
  readonly about: CorrectedThing;
  readonly lang: Lang;
  /** Who is counted, as for a submission: the client's address, stored as a keyed digest. */
  readonly sender: string;
  readonly now_ms: number;
}

/** What a reader is told. */
export interface CorrectionReceipt {
  readonly reference: string;
  /** The same words about the same thing waited already. */
  readonly is_repeat: boolean;
}

/**
 * Takes in a correction, pending; the same words about the same thing, while they wait, give the same
 * receipt and are not counted. It is on disk when this returns. Throws AppError rate_limited.
 */
export function sendCorrection(
  inbox: Inbox,
  arrival: CorrectionArrival,
): Promise<CorrectionReceipt> {
  const { correction, about, lang, sender, now_ms } = arrival;
  const text = JSON.stringify({ kind: about.kind, id: about.id, ...correction });
  const digest = toDigest(text);
  return inbox.transaction(async (): Promise<CorrectionReceipt> => {
    const stored = await getPendingCorrection(inbox, digest);
    if (stored !== null) return { reference: stored.reference, is_repeat: true };
    const reference = await findFreeReference(inbox, digest);
    const is_doubtful = await admit(inbox, { sender, channel: 'report', reference, now_ms });
    await insertCorrection(inbox, {
      reference,
      digest,
      at: formatTimestamp(now_ms),
      about,
      lang,
      correction,
      is_doubtful,
    });
    return { reference, is_repeat: false };
  });
}

/** What an editor may do with a correction, and how the change stands then. */
export const SETTLED = { done: 'applied', dismiss: 'refused' } as const;
export type SettleAction = keyof typeof SETTLED;

/**
 * Marks a correction done, or dismisses it with a reason; logged, and undone like any decision. Throws
 * AppError where there is none, where it does not wait, or where the reason is missing or too long.
 */
export async function settleCorrection(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  reference: string,
  action: SettleAction,
  words: string,
): Promise<void> {
  const reason = checkReason(toCleanText(words), 'log') || null;
  if (action === 'dismiss' && reason === null)
    throw new AppError('invalid_parameter', 'reason: say why it is dismissed', 'no_reason');
  const subject = (await read(inbox, reference)).reference;
  await decide(inbox, { editor, now_ms, action, subject, reason }, async () => {
    const change = await getCurrent(inbox, subject);
    if (change?.state !== 'waiting')
      throw new AppError('invalid_parameter', 'state: it does not wait any more', 'not_pending');
    return [{ change, state: SETTLED[action] }];
  });
}

async function read(inbox: Inbox, reference: string): Promise<StoredCorrection> {
  const stored = await getCorrection(inbox, reference);
  if (stored === null)
    throw new AppError('not_found', 'reference: there is no such correction', 'no_such_correction');
  return stored;
}
