// npm run rollback: returns to the previous content.
import { runReleaseCommand } from '../src/server/release-command.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run rollback

Builds a release from the content before the current one and makes it live. town.yml and the decisions of the desk stay current.
The next scheduled release is built from CONTENT_DIR again, so fix the files first.
`;

await runScript(HELP, async ({ config, now_ms }) => {
  const order = { config, now_ms, log: printLine, cause: 'rollback', allow_loss: true } as const;
  const { rolled_back_to, summary } = await runReleaseCommand({ ...order, origin: 'previous' });
  printLine(`The content of ${rolled_back_to} is live again: ${summary}`);
  printLine('Fix the files now: npm run release and the schedule build from CONTENT_DIR again.');
});
