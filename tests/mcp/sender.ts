// A sender with a token: an inbox of its own for each test, and the two tools by which somebody sends
// and follows.
import { readValue } from '../fixtures/inbox.ts';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { openSenderDesk } from '../../src/desk/propose.ts';
import type { McpContext } from '../../src/mcp/tool.ts';
import type { Snapshot } from '../../src/snapshot/open.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { openFixtureInbox } from '../fixtures/inbox.ts';
import { call, contextOf } from './ask.ts';

/** Those of the test that runs. */
export let snapshot: Snapshot;
export let opened: Awaited<ReturnType<typeof openFixtureInbox>>;
export let context: McpContext;

/** A new inbox for each test of a file. */
export function useSender(): void {
  const town = openFixture();
  beforeEach(async () => {
    ({ snapshot } = town);
    opened = await openFixtureInbox();
    context = contextOf(snapshot, { desk: openSenderDesk(opened.inbox, snapshot) });
  });
  afterEach(() => opened.close());
  afterAll(town.close);
}

export const EVENT = {
  title: 'Noche de jazz',
  description: 'Concierto al aire libre con cuatro grupos.',
  category: 'live-music',
  start: '2026-12-05T20:00',
  end: '2026-12-05T23:00',
  venue: 'malecon-inventado',
  price_min: 100,
  contact_email: 'ana@ejemplo.example',
};
export const ACTS = { confirm: true } as const;

export async function send(more: Record<string, unknown> = {}): Promise<string> {
  const { structuredContent } = await call('enviar_evento', { ...EVENT, ...more }, context);
  return structuredContent.data.status_url;
}
export const follow = (token: string, args: Record<string, unknown> = {}, more = {}) =>
  call('seguir_envio', { token, ...args }, { ...context, ...more });
export const dataOf = async (token: string, args: Record<string, unknown> = {}) =>
  (await follow(token, args)).structuredContent.data;
export const refusalOf = async (token: string, args: Record<string, unknown>): Promise<string> => {
  const { isError, content } = await follow(token, args);
  expect(isError).toBe(true);
  return content[0].text;
};
export const readStored = (url: string) => context.desk?.find(url.split('/').at(-1) ?? '');
export const review = async () => ({
  editor: 'ana',
  now_ms: context.now_ms,
  reference: String(await readValue(opened.inbox, 'select reference from changes')),
  revision: Number(await readValue(opened.inbox, 'select max(revision) from changes')),
});
