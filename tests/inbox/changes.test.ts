// Changes table: invalid rows must not hide valid ones.
import { expect, test, vi } from 'vitest';
import { eraseExpired } from '../../src/desk/retention.ts';
import { getSubmission, listPendingSubmissions, listQueueRows } from '../../src/inbox/changes.ts';
import {
  listVenuesNamedByPendingChanges,
  loadAppliedChanges,
} from '../../src/inbox/applied-changes.ts';
import { inbox, queryRows, queryValue, submitTestEvent, useInbox } from '../fixtures/inbox.ts';

useInbox();

test.each([
  [
    'that does not match the schema',
    '{"title":"palabras ajenas","contact_email":"secreto@correo.example"}',
  ],
  ['that is not JSON', 'secreto@correo.example'],
])('a text %s is skipped with one warning, and can be erased', async (_, text) => {
  const [good, bad] = [
    await submitTestEvent(inbox, { venue: 've_a', venue_name: null }),
    await submitTestEvent(inbox, { title: 'Otra' }),
  ];
  await queryRows(inbox, 'update changes set text = ? where reference = ?', text, bad.reference);
  const warn = vi.fn<(message: string) => void>();
  inbox.warn = warn;
  expect(await listVenuesNamedByPendingChanges(inbox)).toEqual(['ve_a']);
  const lists = [await listPendingSubmissions(inbox), await listQueueRows(inbox)];
  for (const list of lists)
    expect(list.map(({ reference }) => reference)).toEqual([good.reference]);
  expect(await getSubmission(inbox, bad.reference)).toBeNull();
  const message = expect.stringMatching(/^Inbox: skipped row 2 of table changes.*text/);
  expect(warn.mock.calls).toEqual([[message]]);
  expect(String(warn.mock.calls)).not.toMatch(/ajenas|secreto/);
  expect(await eraseExpired(inbox, Date.parse('2100-01-01T00:00:00Z'))).toBeGreaterThan(0);
  expect(await queryValue(inbox, 'select group_concat(text) from changes')).not.toContain(
    'secreto',
  );
});

test('loadAppliedChanges fails on an invalid row, since skipping it could bring back a withdrawn event', async () => {
  const { reference } = await submitTestEvent(inbox);
  const sql = "update changes set state = 'applied', record = ? where reference = ?";
  await queryRows(inbox, sql, 'no JSON', reference);
  await expect(loadAppliedChanges(inbox)).rejects.toThrow();
});
