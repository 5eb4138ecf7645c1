// Rest days at the desk: one press answers whether a repeating event takes place on holidays (contract 14.85).
import { describe, expect, test } from 'vitest';
import { submissionToForm } from '../../../src/domain/submission/form-values.ts';
import { loadAppliedChanges } from '../../../src/inbox/applied-changes.ts';
import { submittedEventId } from '../../../src/sources/inbox/merge-inbox.ts';
import { openDesk } from '../../fixtures/desk-visit.ts';
import { publish } from '../../fixtures/approved.ts';
import { SUBMISSION, submitTestEvent, useSharedInbox } from '../../fixtures/inbox.ts';
import { openPageContext } from '../../fixtures/site.ts';

const state = openPageContext();
const { inbox } = await useSharedInbox();
const { ask } = await openDesk(inbox, state);
const itemPath = (reference: string): string => `/revision/envios/${reference}`;
const press = (reference: string, does: string, fields: Readonly<Record<string, string>> = {}) =>
  ask(itemPath(reference), { revision: '1', does, ...fields });

describe('one press answers whether an event takes place on holidays', () => {
  const resting = ['2026-12-25', '2027-01-01'];
  test.each([
    ['yes', '2026-12-25'],
    ['no', null],
  ])('%s for a pending submission: its dates have %s', async (answer, date) => {
    const title = `Fiestas ${answer}`;
    const { reference } = await submitTestEvent(inbox, { title, dates: ['2027-01-08'], resting });
    await press(reference, `rest_days:${answer}`, {
      ...submissionToForm({ ...SUBMISSION, title }),
      dates: '2027-01-08',
    });
    const { page_json } = await ask(itemPath(reference));
    expect(page_json).toContain('"resting_days":[]');
    expect(page_json.includes(`"dates":"2027-01-08\\n${date}`)).toBe(date !== null);
  });
  test.each(['yes', 'no'])('%s for a published event', async (answer) => {
    const title = `Publicado ${answer}`;
    const reference = await publish(inbox, { title, dates: ['2027-01-08'], resting });
    const read = async () => (await ask(itemPath(reference))).page_json;
    expect(await read()).toContain(`"resting_days":${JSON.stringify(resting)}`);
    expect((await press(reference, `rest_days:${answer}`)).status).toBe(303);
    expect(await read()).toContain('"resting_days":[]');
    const { edits } = await loadAppliedChanges(inbox, submittedEventId(reference));
    const dates = JSON.stringify(edits[0]?.record.when ?? null);
    expect(dates.includes('"2026-12-25","2027-01-01"')).toBe(answer === 'yes');
    expect((await press(reference, `rest_days:${answer}`)).status).toBe(422);
  });
});
