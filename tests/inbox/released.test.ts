// Migrations: the inbox of each released version is migrated completely; a newer one is used if it is compatible.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { listApiKeys } from '../../src/inbox/api-keys.ts';
import { compactStore, isCompactionDue } from '../../src/inbox/erase.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { STORE_VERSION } from '../../src/inbox/database-engine.ts';
import { openInbox } from '../../src/inbox/open.ts';
import {
  countPending,
  getLastDecidedText,
  getSubmission,
  listPendingSubmissions,
} from '../../src/inbox/changes.ts';
import { loadInboxRecords } from '../../src/sources/inbox/load-inbox.ts';
import { useFolder } from '../fixtures/folder.ts';
import { ANA, reviewByAna, queryValue, undoNewestDecision } from '../fixtures/inbox.ts';
import { returnSubmission } from '../fixtures/changes.ts';

const RELEASED = join(import.meta.dirname, 'released');
const folder = useFolder();

test('there is a dump of each version in CHANGELOG.md', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const named = changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm);
  expect(readdirSync(RELEASED).sort()).toEqual([...named].map(([, name]) => `${name}.sql`).sort());
});

describe.each(readdirSync(RELEASED))('the inbox of %s', (name) => {
  /** Opens the inbox from a dump that the code of that version wrote. */
  function open() {
    const path = join(folder, `${name}.db`);
    rmSync(path, { force: true });
    const old = new Database(path);
    old.exec(readFileSync(join(RELEASED, name), 'utf8'));
    old.close();
    return openInbox(path);
  }

  test('is migrated with its pending and published submissions, decisions, editors and keys', async () => {
    const inbox = await open();
    expect(await queryValue(inbox, 'pragma user_version')).toBe(STORE_VERSION);
    expect(await queryValue(inbox, 'pragma integrity_check')).toBe('ok');
    const pending = (await listPendingSubmissions(inbox)).map(
      ({ title, asks }) => `${title} ${asks}`,
    );
    expect(pending.sort()).toEqual([
      ...['Noche corregida edit', 'Noche por cancelar cancel', 'Noche que espera publish'],
    ]);
    expect(await countPending(inbox)).toMatchObject({ waiting: 3, urgent: 1 });
    expect((await getLastDecidedText(inbox, 'HC-M3X7KJ'))?.title).toBe('Noche de antes');
    const { publications, overrides, omitted } = await loadInboxRecords(inbox);
    expect([publications.length, overrides.map(({ date }) => date), omitted]).toEqual([
      ...[3, ['2027-02-06', ''], []],
    ]);
    expect(await getSubmission(inbox, 'HC-A5K2ME')).toMatchObject({
      ...{ state: 'asked', reason: 'Falta la hora.', draft: { summary: 'Una noche.' } },
    });
    expect((await getSubmission(inbox, 'HC-T8R4WD'))?.state).toBe('taken_back');
    const decided = (await listDecisions(inbox, 10)).map(({ action }) => action);
    expect(decided).toEqual(['cancel', 'approve', 'approve', 'reject', 'approve']);
    expect(await listEditors(inbox)).toMatchObject([{ name: 'ana' }]);
    expect(await listApiKeys(inbox)).toMatchObject([{ name: 'una agenda', revoked_at: null }]);
    // Older versions erased without compacting.
    expect([await isCompactionDue(inbox), await compactStore(inbox)]).toEqual([true, true]);
    await inbox.close();
  });

  test('allows to undo an old decision and to make a new one', async () => {
    const inbox = await open();
    await undoNewestDecision(inbox, ANA);
    const { overrides } = await loadInboxRecords(inbox);
    expect(overrides.map(({ date }) => date)).toEqual(['2027-02-06']);
    const waiting = (await listPendingSubmissions(inbox)).find(({ asks }) => asks === 'publish');
    const { reference = '', revision = 0 } = waiting ?? {};
    await returnSubmission(inbox, reviewByAna(reference, revision), 'reject', 'No es público.');
    expect((await getSubmission(inbox, reference))?.state).toBe('refused');
    await inbox.close();
  });
});

describe('the inbox of a newer version', () => {
  /** Writes an inbox with one more migration, which programs from version `oldest` on can use. */
  async function write(oldest: number): Promise<string> {
    const path = join(folder, `newer-${oldest}.db`);
    await (await openInbox(path)).close();
    const newer = new Database(path);
    newer.exec("alter table changes add column later text not null default ''");
    newer.pragma(`user_version = ${STORE_VERSION + 1}`);
    newer.pragma(`application_id = ${oldest}`);
    newer.close();
    return path;
  }

  test('is used if it is compatible, and keeps its version', async () => {
    const inbox = await openInbox(await write(STORE_VERSION));
    expect(await listPendingSubmissions(inbox)).toEqual([]);
    expect(await queryValue(inbox, 'pragma user_version')).toBe(STORE_VERSION + 1);
    await inbox.close();
  });

  test.each([0, STORE_VERSION + 1])(
    'is rejected if it is incompatible (oldest compatible version %i)',
    async (oldest) => {
      await expect(openInbox(await write(oldest))).rejects.toThrow(
        `The inbox has version ${STORE_VERSION + 1}; this program supports up to ${STORE_VERSION}. Use the newer program`,
      );
    },
  );
});
