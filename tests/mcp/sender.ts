// Sender tools: sets up an inbox for each test, and calls the tools that submit events and return their status.
import { beforeEach } from 'vitest';
import { createSenderApi } from '../../src/desk/submissions.ts';
import type { McpContext } from '../../src/mcp/tool.ts';
import type { Snapshot } from '../../src/snapshot/open-snapshot.ts';
import { useFixture } from '../fixtures/fixture.ts';
import { inbox, useInbox } from '../fixtures/inbox.ts';
import { call, contextOf } from './ask.ts';

export let snapshot: Snapshot;
/** Context of the current test. */
export let context: McpContext;

export function useSender(): void {
  ({ snapshot } = useFixture());
  useInbox();
  beforeEach(() => {
    context = contextOf(snapshot, { desk: createSenderApi(inbox, snapshot) });
  });
}

export const EVENT = {
  title: 'Noche de jazz',
  description: 'Concierto al aire libre con cuatro grupos.',
  category: 'live-music',
  start: '2026-12-05T20:00',
  venue: 'malecon-inventado',
  free: true,
  contact_email: 'ana@ejemplo.example',
};

export const propose = (more: Record<string, unknown> = {}, further: Partial<McpContext> = {}) =>
  call('enviar_evento', { ...EVENT, ...more }, { ...context, ...further });
export const send = async (more: Record<string, unknown> = {}): Promise<string> =>
  (await propose(more)).structuredContent.data.status_url;
export const follow = (token: string, args: Record<string, unknown> = {}, more = {}) =>
  call('seguir_envio', { token, ...args }, { ...context, ...more });
