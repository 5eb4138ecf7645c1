// The inbox of each released version is brought forward whole; a newer one is used if it can be.
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
import { makeFolder } from '../fixtures/folder.ts';
import { ANA, by, readValue, undoNewest } from '../fixtures/inbox.ts';
import { refuse } from '../fixtures/changes.ts';

const RELEASED = join(import.meta.dirname, 'released');
const folder = makeFolder();

test('one is kept of each version that CHANGELOG.md names', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const named = changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm);
  expect(readdirSync(RELEASED).sort()).toEqual([...named].map(([, name]) => `${name}.sql`).sort());
});

describe.each(readdirSync(RELEASED))('the inbox of %s', (name) => {
  /** As its version left it: written by that one's own code, and dumped. */
  function open() {
    const path = join(folder, `${name}.db`);
    rmSync(path, { force: true });
    const old = new Database(path);
    old.exec(readFileSync(join(RELEASED, name), 'utf8'));
    old.close();
    return openInbox(path);
  }

  test('is brought forward whole: what waits, what was published, who decided, who may come in', async () => {
    const inbox = await open();
    expect(await readValue(inbox, 'pragma user_version')).toBe(STORE_VERSION);
    expect(await readValue(inbox, 'pragma integrity_check')).toBe('ok');
    const pending = (await listPendingSubmissions(inbox)).map(
      ({ title, asks }) => `${title} ${asks}`,
    );
    expect(pending.sort()).toEqual([
      ...['Noche corregida edit', 'Noche por cancelar cancel', 'Noche que espera publish'],
    ]);
    expect(await countPending(inbox)).toMatchObject({ waiting: 3, urgent: 1 });
    expect((await getLastDecidedText(inbox, 'HC-M3X7KJ'))?.title).toBe('Noche de antes');
    const { publications, overrides, left_out } = await loadInboxRecords(inbox);
    expect([publications.length, overrides.map(({ date }) => date), left_out]).toEqual([
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
    // What it erased may lie in unused parts of it.
    expect([await isCompactionDue(inbox), await compactStore(inbox)]).toEqual([true, true]);
    await inbox.close();
  });

  test('is worked with: a decision of then is undone, a new one is made', async () => {
    const inbox = await open();
    await undoNewest(inbox, ANA);
    const { overrides } = await loadInboxRecords(inbox);
    expect(overrides.map(({ date }) => date)).toEqual(['2027-02-06']);
    const waiting = (await listPendingSubmissions(inbox)).find(({ asks }) => asks === 'publish');
    const { reference = '', revision = 0 } = waiting ?? {};
    await refuse(inbox, by(reference, revision), 'reject', 'No es público.');
    expect((await getSubmission(inbox, reference))?.state).toBe('refused');
    await inbox.close();
  });
});

describe('the inbox of a newer version', () => {
  /** One with a change more, which says from which version on programs can use it. */
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

  test('is used where it only has more, and stays of that version', async () => {
    const inbox = await openInbox(await write(STORE_VERSION));
    expect(await listPendingSubmissions(inbox)).toEqual([]);
    expect(await readValue(inbox, 'pragma user_version')).toBe(STORE_VERSION + 1);
    await inbox.close();
  });

  test.each([0, STORE_VERSION + 1])(
    'is refused if it cannot be (oldest reader %i)',
    async (oldest) => {
      await expect(openInbox(await write(oldest))).rejects.toThrow(
        `The inbox is of version ${STORE_VERSION + 1}; this program knows ${STORE_VERSION}. Use the newer program`,
      );
    },
  );
});
