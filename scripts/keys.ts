// npm run keys: makes, lists and revokes API keys. A running server knows of each at once.
import { createApiKey, listApiKeys, revokeApiKey } from '../src/inbox/api-keys.ts';
import { runInboxCommand } from './commands.ts';

await runInboxCommand(
  'Keys raise the allowance of who sends them as x-api-key (RATE_LIMIT_KEY requests a minute). They open nothing else.',
  {
    'create NAME': [
      'makes a key for somebody and shows it, once',
      async ({ inbox, actor }, name) => {
        const { id, key } = await createApiKey(inbox, name, actor.now_ms);
        return `${id}  ${name}\n\n  ${key}\n\nHand it over now: it is kept as a hash only and cannot be shown again.`;
      },
    ],
    list: [
      'all keys, with the day of their last use',
      async ({ inbox }) => {
        const keys = await listApiKeys(inbox);
        const lines = keys.map(({ id, name, created_at, last_used_on, revoked_at }) => {
          const used = `last used ${last_used_on ?? 'never'}`;
          const state = revoked_at === null ? used : `revoked ${revoked_at}`;
          return `${id}  ${created_at.slice(0, 10)}  ${name}  (${state})`;
        });
        return lines.join('\n') || 'There are no keys. npm run keys -- create NAME makes one.';
      },
    ],
    'revoke ID': [
      'ends one: a running server refuses it from the next request on',
      async ({ inbox, actor }, id) => {
        if (await revokeApiKey(inbox, id, actor.now_ms)) return `${id} is revoked.`;
        throw new Error(`There is no live key with the id '${id}'; npm run keys -- list has them`);
      },
    ],
  },
);
