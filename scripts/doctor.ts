// npm run doctor: reports problems of the machine, the settings and the service, with their remedies.
import { runChecks, emailFindings } from '../src/server/doctor.ts';
import { runScript, printLine } from './commands.ts';

const HELP = `npm run doctor -- [--mail ADDRESS]

Checks the service, proxy, settings, permissions, mail server and backups without changing anything, and reports problems with
their remedies. Exits with 1 if there are any, but not with --mail. Run it as the user of the service, with its settings.
  --mail ADDRESS   for a timer: emails the report if the service is down or needs attention, the same report once a day
`;

await runScript(HELP, async ({ config, now_ms, options: { mail } }) => {
  const findings = await runChecks(config, now_ms);
  if (mail !== undefined) await emailFindings(config, mail, findings, now_ms);
  for (const { subject, level, message } of findings)
    printLine(`${level.padEnd(5)}  ${subject.padEnd(8)}  ${message}`);
  const count = findings.filter(({ level }) => level === 'WRONG').length;
  printLine(
    count === 0
      ? '\nNothing is wrong.'
      : `\n${count} ${count === 1 ? 'problem' : 'problems'} to fix.`,
  );
  if (count > 0 && mail === undefined) process.exitCode = 1;
});
