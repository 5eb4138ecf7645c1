// npm run rollback: the content before this one serves again.
import { runReleaseCommand } from '../src/server/release-command.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run rollback

Builds a release of the content that served before the present one, but of this town as it is, and lets it serve. What the desk
has decided since stays so. The next release that is due is built from CONTENT_DIR again, so mend the files first.
`;

await runScript(HELP, async ({ config, now_ms }) => {
  const order = { config, now_ms, say, cause: 'rollback', allow_loss: true } as const;
  const { back_to, summary } = await runReleaseCommand({ ...order, origin: 'before' });
  say(`The content of ${back_to} serves again: ${summary}`);
  say('Mend the files now: npm run release, and the schedule, build from CONTENT_DIR again.');
});
