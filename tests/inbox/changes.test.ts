// The table of changes: a row that cannot be read hides no other.
import { expect, test, vi } from 'vitest';
import { eraseExpired } from '../../src/desk/retention.ts';
import { getSubmission, listPendingSubmissions, listQueueRows } from '../../src/inbox/changes.ts';
import { loadAppliedChanges } from '../../src/inbox/applied-changes.ts';
import { inbox, readRows, readValue, sendIn, useInbox } from '../fixtures/inbox.ts';

useInbox();

test.each([
  ['of no schema', '{"title":"palabras ajenas","contact_email":"secreto@correo.example"}'],
  ['of no JSON', 'secreto@correo.example'],
])('a text %s is left out and told of once, and can be erased', async (_, text) => {
  const [good, bad] = [await sendIn(inbox), await sendIn(inbox, { title: 'Otra' })];
  await readRows(inbox, 'update changes set text = ? where reference = ?', text, bad.reference);
  const told = vi.fn<(sentence: string) => void>();
  inbox.warn = told;
  const lists = [await listPendingSubmissions(inbox), await listQueueRows(inbox)];
  for (const list of lists)
    expect(list.map(({ reference }) => reference)).toEqual([good.reference]);
  expect(await getSubmission(inbox, bad.reference)).toBeNull();
  expect(told.mock.calls).toEqual([[expect.stringMatching(/^The inbox: row 2 of changes .*text/)]]);
  expect(String(told.mock.calls)).not.toMatch(/ajenas|secreto/);
  expect(await eraseExpired(inbox, Date.parse('2100-01-01T00:00:00Z'))).toBeGreaterThan(0);
  expect(await readValue(inbox, 'select group_concat(text) from changes')).not.toContain('secreto');
});

test('what the agenda is told is read as a whole: without a row, what was withdrawn would be back', async () => {
  const { reference } = await sendIn(inbox);
  const sql = "update changes set state = 'applied', record = ? where reference = ?";
  await readRows(inbox, sql, 'no JSON', reference);
  await expect(loadAppliedChanges(inbox)).rejects.toThrow();
});
