// The tables of the ledger: revisions, slugs and histories that outlive every release.
import * as v from 'valibot';
import { EMPTY_LEDGER, type Ledger } from '../domain/ledger.ts';
import { readHistories, writeHistories } from './histories.ts';
import type { Inbox } from './open.ts';

const RevisionRow = v.object({
  id: v.string(),
  digest: v.string(),
  updated_at: v.string(),
  sequence: v.number(),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  status_since_ms: v.number(),
});
const SlugRow = v.object({
  kind: v.picklist(['event', 'venue', 'organizer']),
  slug: v.string(),
  id: v.string(),
});

/** All that is remembered. */
export function readLedger(inbox: Inbox): Ledger {
  const rows = v.parse(
    v.array(RevisionRow),
    inbox
      .prepare('select id, digest, updated_at, sequence, status, status_since_ms from revisions')
      .all(),
  );
  return {
    revisions: new Map(rows.map(({ id, ...revision }) => [id, revision])),
    slugs: readSlugs(inbox),
    histories: readHistories(inbox),
  };
}

/** Every address that was ever given, and whose it is. */
export const readSlugs = (inbox: Inbox): Ledger['slugs'] =>
  v.parse(v.array(SlugRow), inbox.prepare('select kind, slug, id from slugs').all());

/**
 * Remembers what a release says, in one transaction; only what changed is written. What is as `known`, which was
 * read here, is not even compared.
 */
export function writeLedger(inbox: Inbox, ledger: Ledger, known: Ledger = EMPTY_LEDGER): void {
  const revision = inbox.prepare(`
    insert into revisions values (?, ?, ?, ?, ?, ?)
    on conflict (id) do update set digest = excluded.digest, updated_at = excluded.updated_at, sequence = excluded.sequence,
      status = excluded.status, status_since_ms = excluded.status_since_ms
    where digest <> excluded.digest`);
  const slug = inbox.prepare('insert into slugs values (?, ?, ?) on conflict do nothing');
  inbox
    .transaction(() => {
      for (const [id, r] of ledger.revisions)
        if (known.revisions.get(id)?.digest !== r.digest)
          revision.run(id, r.digest, r.updated_at, r.sequence, r.status, r.status_since_ms);
      const known_slugs = new Set(known.slugs.map(toSlugText));
      for (const s of ledger.slugs)
        if (!known_slugs.has(toSlugText(s))) slug.run(s.kind, s.slug, s.id);
      writeHistories(inbox, ledger.histories, known.histories);
    })
    .immediate();
}

const toSlugText = ({ kind, slug }: Ledger['slugs'][number]): string => `${kind} ${slug}`;

/** Whether an id was in a release: its slugs are remembered permanently. */
export function isReleased(inbox: Inbox, id: string): boolean {
  return inbox.prepare('select 1 from slugs where id = ? limit 1').get(id) !== undefined;
}

/** Whether a notice of this id was in a release: each of its days was, under the id with the day. */
export function isNoticeReleased(inbox: Inbox, id: string): boolean {
  return (
    inbox
      .prepare("select 1 from revisions where id >= ?1 || '-' and id < ?1 || '.' limit 1")
      .get({ 1: id }) !== undefined
  );
}
