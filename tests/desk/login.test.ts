// Editors: a password shown once, the last one stays, sessions that end.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addEditor, changePassword, findEditor, removeEditor } from '../../src/desk/editors.ts';
import { hashPassword } from '../../src/desk/password.ts';
import {
  beginSession,
  endAll,
  endListed,
  endSession,
  isOwnForm,
  listLiveSessions,
  readSession,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
} from '../../src/desk/sessions.ts';
import { listDecisions } from '../../src/inbox/decisions.ts';
import { listEditors } from '../../src/inbox/editors.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { makeOldInbox, openFixtureInbox } from '../fixtures/inbox.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../fixtures/fixture.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

const ANA = { editor: 'ana', now_ms: NOW_MS };
const EVA = { editor: 'eva', now_ms: NOW_MS };

test('a password opens for its own name only, and is nowhere in the file', async () => {
  const [ana, eva] = [
    await addEditor(opened.inbox, 'ana', NOW_MS),
    await addEditor(opened.inbox, 'Eva María', NOW_MS),
  ];
  expect(ana).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  expect(await findEditor(opened.inbox, 'ana', ana)).toBe('ana');
  expect([
    await findEditor(opened.inbox, 'ana', eva),
    await findEditor(opened.inbox, 'nadie', ana),
    await findEditor(opened.inbox, 'ana', ''),
    await findEditor(opened.inbox, 'ana', 'x'.repeat(300)),
  ]).toEqual([null, null, null, null]);
  expect(JSON.stringify(opened.inbox.prepare('select * from editors').all())).not.toContain(ana);
});

test('a new password ends the old one and its sessions; removing ends everything', async () => {
  const old = await addEditor(opened.inbox, 'ana', NOW_MS);
  const session = beginSession(opened.inbox, 'ana', NOW_MS);
  const fresh = await addEditor(opened.inbox, 'ana', NOW_MS);
  expect([
    await findEditor(opened.inbox, 'ana', old),
    readSession(opened.inbox, session, NOW_MS),
  ]).toEqual([null, null]);
  const next = beginSession(opened.inbox, 'ana', NOW_MS);
  await addEditor(opened.inbox, 'eva', NOW_MS);
  const late = findEditor(opened.inbox, 'ana', fresh);
  removeEditor(opened.inbox, EVA, 'ana');
  expect(() => removeEditor(opened.inbox, EVA, 'ana')).toThrow(/^name: there is no editor/);
  expect(await late, 'removed while the password was looked at').toBeNull();
  expect([
    await findEditor(opened.inbox, 'ana', fresh),
    readSession(opened.inbox, next, NOW_MS),
    listEditors(opened.inbox).map(({ name }) => name),
  ]).toEqual([null, null, ['eva']]);
});

test.each(['', 'a', ' ana', 'a\nb', '<b>', 'x'.repeat(41)])('%j is no name', async (name) => {
  await expect(addEditor(opened.inbox, name, NOW_MS)).rejects.toThrow(/^name: /);
});

test('the last editor stays, and every change is in the log', async () => {
  await addEditor(opened.inbox, 'ana', NOW_MS);
  expect(() => removeEditor(opened.inbox, ANA, 'ana')).toThrow(
    expect.objectContaining({ reason: 'last_editor' }),
  );
  await addEditor(opened.inbox, 'eva', NOW_MS, 'ana');
  await addEditor(opened.inbox, 'ana', NOW_MS, 'eva');
  removeEditor(opened.inbox, EVA, 'ana');
  expect(listEditors(opened.inbox)).toMatchObject([{ name: 'eva', has_factor: false }]);
  expect(
    listDecisions(opened.inbox, 9).map((one) => [one.editor, one.action, one.subject]),
  ).toEqual([
    ['eva', 'remove_editor', 'ana'],
    ['eva', 'new_password', 'ana'],
    ['ana', 'add_editor', 'eva'],
    ['setup', 'add_editor', 'ana'],
  ]);
});

test.each([8, 17])('who could come in at version %i of the file still can', async (version) => {
  const path = join(opened.folder, 'old.db');
  const old = makeOldInbox(path, version);
  const hash = await hashPassword('siete barcas en la laguna');
  old
    .prepare("insert into editors (name, hash, added_at) values ('ana', ?, '2026-01-01')")
    .run(hash);
  old
    .prepare("insert into sessions (hash, editor, started_ms, seen_ms) values ('h', 'ana', ?, ?)")
    .run(NOW_MS, NOW_MS);
  old
    .prepare(
      "insert into decisions (at, editor, action, subject, before) values ('2026-11-22T10:00:00-05:00', 'eva', 'make_editor', 'ana', '[]')",
    )
    .run();
  old.close();
  const inbox = openInbox(path);
  expect(await findEditor(inbox, 'ana', 'siete barcas en la laguna')).toBe('ana');
  expect(listEditors(inbox)).toEqual([{ name: 'ana', added_at: '2026-01-01', has_factor: false }]);
  expect(listLiveSessions(inbox, null, NOW_MS)).toMatchObject([{ editor: 'ana' }]);
  expect(listDecisions(inbox, 1)).toMatchObject([{ action: 'make_editor', subject: 'ana' }]);
  inbox.close();
});

describe('an own password', () => {
  test('takes the place of the one that is known, and ends every session', async () => {
    const old = await addEditor(opened.inbox, 'ana', NOW_MS);
    const session = beginSession(opened.inbox, 'ana', NOW_MS);
    const next = ' un caballo azul en Puerto Juárez ';
    await expect(changePassword(opened.inbox, ANA, 'x', next)).rejects.toThrow(/^password: it is/);
    await changePassword(opened.inbox, ANA, old, next);
    expect([
      await findEditor(opened.inbox, 'ana', old),
      await findEditor(opened.inbox, 'ana', next.trim()),
      readSession(opened.inbox, session, NOW_MS),
    ]).toEqual([null, 'ana', null]);
  });
  test.each(['corta', 'aaaaaaaaaaaaaaaa', 'ana ana ana ana', 'x'.repeat(201), '            '])(
    'is not %j',
    async (next) => {
      await expect(changePassword(opened.inbox, ANA, 'x', next)).rejects.toThrow(/^password: at l/);
    },
  );
});

describe('a session', () => {
  beforeEach(async () => {
    await addEditor(opened.inbox, 'ana', NOW_MS);
  });
  test('is kept as a hash and ends when it is ended', () => {
    const token = beginSession(opened.inbox, 'ana', NOW_MS);
    expect(JSON.stringify(opened.inbox.prepare('select * from sessions').all())).not.toContain(
      token,
    );
    expect(readSession(opened.inbox, token, NOW_MS)?.editor).toBe('ana');
    expect([
      readSession(opened.inbox, `${token}x`, NOW_MS),
      readSession(opened.inbox, '', NOW_MS),
      readSession(opened.inbox, null, NOW_MS),
    ]).toEqual([null, null, null]);
    endSession(opened.inbox, token);
    expect(readSession(opened.inbox, token, NOW_MS)).toBeNull();
  });
  test('ends when idle', () => {
    const token = beginSession(opened.inbox, 'ana', NOW_MS);
    expect(readSession(opened.inbox, token, NOW_MS + SESSION_IDLE_MS - 1)).not.toBeNull();
    expect(readSession(opened.inbox, token, NOW_MS + 2 * SESSION_IDLE_MS - 2)).not.toBeNull();
    expect(readSession(opened.inbox, token, NOW_MS + 3 * SESSION_IDLE_MS - 2)).toBeNull();
  });
  test('ends after a day of work, however busy', () => {
    const token = beginSession(opened.inbox, 'ana', NOW_MS);
    for (let at = 0; at < SESSION_LONGEST_MS; at += SESSION_IDLE_MS / 2)
      expect(readSession(opened.inbox, token, NOW_MS + at)).not.toBeNull();
    expect(readSession(opened.inbox, token, NOW_MS + SESSION_LONGEST_MS)).toBeNull();
  });
  test('takes forms of its own pages only', () => {
    const [one, other] = [
      beginSession(opened.inbox, 'ana', NOW_MS),
      beginSession(opened.inbox, 'ana', NOW_MS),
    ].map((token) => readSession(opened.inbox, token, NOW_MS));
    if (!one || !other) throw new Error('no session');
    expect([isOwnForm(one, one.csrf), isOwnForm(one, other.csrf), isOwnForm(one, '')]).toEqual([
      true,
      false,
      false,
    ]);
  });
  test("is in the list while it lives, and is ended there: an own one, or anybody's", async () => {
    await addEditor(opened.inbox, 'eva', NOW_MS);
    const [one, two, hers] = (['ana', 'ana', 'eva'] as const).map((name) =>
      beginSession(opened.inbox, name, NOW_MS, { device: 'Firefox, Linux' }),
    );
    const live = (owner: string | null) => listLiveSessions(opened.inbox, owner, NOW_MS);
    const idOf = (token = ''): string => readSession(opened.inbox, token, NOW_MS)?.id ?? '';
    expect(
      live('ana')
        .map(({ id }) => id)
        .sort(),
    ).toEqual([idOf(one), idOf(two)].sort());
    expect([live(null).length, live('ana')[0]?.device]).toEqual([3, 'Firefox, Linux']);
    expect(listLiveSessions(opened.inbox, null, NOW_MS + SESSION_IDLE_MS)).toEqual([]);
    expect(() => endListed(opened.inbox, ANA, idOf(hers), 'ana')).toThrow(/no such session/);
    endListed(opened.inbox, ANA, idOf(hers), null);
    expect(listDecisions(opened.inbox, 1)).toMatchObject([
      { editor: 'ana', action: 'end_sessions', subject: 'eva' },
    ]);
    expect(endAll(opened.inbox, ANA, 'ana', one ?? null)).toBe(1);
    expect(live(null).map(({ id }) => id)).toEqual([idOf(one)]);
  });
  test('begins with a token of its own, whatever the browser brought', () => {
    const planted = 'x'.repeat(43);
    const token = beginSession(opened.inbox, 'ana', NOW_MS, { former: planted });
    expect(token).not.toBe(planted);
    expect(readSession(opened.inbox, planted, NOW_MS)).toBeNull();
    const next = beginSession(opened.inbox, 'ana', NOW_MS, { former: token });
    expect([
      readSession(opened.inbox, token, NOW_MS),
      readSession(opened.inbox, next, NOW_MS)?.editor,
    ]).toEqual([null, 'ana']);
  });
});
