// npm run keys: creates, lists and revokes API keys. A running server applies changes at once.
import { createApiKey, listApiKeys, revokeApiKey } from '../src/inbox/api-keys.ts';
import { runInboxCommand } from './commands.ts';

await runInboxCommand(
  'Keys raise the rate limit of clients that send them as x-api-key (RATE_LIMIT_KEY requests a minute). They grant nothing else.',
  {
    'create NAME': [
      'creates a key for a client and prints it once',
      async ({ inbox, actor }, name) => {
        const { id, key } = await createApiKey(inbox, name, actor.now_ms);
        return `${id}  ${name}\n\n  ${key}\n\nPass it on now: only its hash is stored, so it cannot be shown again.`;
      },
    ],
    list: [
      'lists all keys with the day of their last use',
      async ({ inbox }) => {
        const keys = await listApiKeys(inbox);
        const lines = keys.map(({ id, name, created_at, last_used_on, revoked_at }) => {
          const last_use = `last used ${last_used_on ?? 'never'}`;
          const state = revoked_at === null ? last_use : `revoked ${revoked_at}`;
          return `${id}  ${created_at.slice(0, 10)}  ${name}  (${state})`;
        });
        return lines.join('\n') || 'There are no keys. npm run keys -- create NAME creates one.';
      },
    ],
    'revoke ID': [
      'revokes a key: a running server rejects it from the next request on',
      async ({ inbox, actor }, id) => {
        if (await revokeApiKey(inbox, id, actor.now_ms)) return `Revoked ${id}.`;
        throw new Error(`There is no live key with id '${id}'. npm run keys -- list shows all`);
      },
    ],
  },
);
