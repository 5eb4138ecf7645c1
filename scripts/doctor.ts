// npm run doctor: what is wrong with the machine, the settings and the service, and what to do.
import { runChecks, emailFindings } from '../src/server/doctor.ts';
import { runScript, say } from './commands.ts';

const HELP = `npm run doctor [-- --mail ADDRESS]

Looks at the service, proxy, settings, permissions, mail server and backups, changes nothing, and says what is wrong
and what to do. Ends with 1 where anything is. Run it as the user of the service, with its settings.
  --mail ADDRESS   for a timer: mails that where the service does not answer or wants attention, the same words once a day
`;

await runScript(HELP, async ({ config, now_ms, options: { mail } }) => {
  const findings = await runChecks(config, now_ms);
  if (mail !== undefined) await emailFindings(config, mail, findings, now_ms);
  for (const { about, level, says } of findings)
    say(`${level.padEnd(5)}  ${about.padEnd(8)}  ${says}`);
  const count = findings.filter(({ level }) => level === 'WRONG').length;
  say(count === 0 ? '\nNothing is wrong.' : `\n${count} to be mended.`);
  if (count > 0 && mail === undefined) process.exitCode = 1;
});
