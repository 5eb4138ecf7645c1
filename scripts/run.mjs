// The one entry for npm: checks the Node that runs it, then the command, and runs the command.
// Plain JavaScript, so that an old Node can still say what is wrong.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const COMMANDS = {
  start: 'build the first release if there is none, and serve it',
  dev: "Astro's development server on a fresh snapshot",
  release: 'build, check and switch to a new release; a running server follows',
  keys: 'make, list and revoke API keys',
  review: 'the review desk in a terminal',
  editors: 'who may use the review desk on the web',
  doctor: 'what is wrong with machine, settings and service, and what to do',
  backup: 'copies of the inbox and of content, made, rotated, proved',
  restore: 'put a backup back',
  rollback: 'let the release before serve again',
  amend: 'what the desk has decided over events, in the release that serves, at once',
  due: 'which facts of content are due to be looked at again',
  content: 'writes what the desk says over content into its files',
  coverage: 'what the agenda of the coming days has, counted',
  evals: 'how many questions models can answer with what they are given',
  recall: 'how much of what people look for the search finds',
  snapshot: 'build only the snapshot of the content, to look into it',
  town: 'write a made-up town of any size, for load and tests',
  bench: 'how fast this is beside a bare server',
  prometheus: 'the alert rules, tried with a real Prometheus',
  attack: 'what an attacker and a bad day can do to a service',
  soak: 'whether memory and open files stay what they are, for half an hour',
  flood: 'whether an attacker can shut the intake',
  tokens: 'what the MCP tools cost a model in tokens',
  paint: 'what pages weigh, and when the first screen is there on a slow telephone',
  nu: "every page of a running server by the W3C's checker",
  check: 'types, lint and the quick tests',
  test: 'every test, the browser too',
};

const NEEDED_MAJOR = 24;

const name = process.argv[2];
if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) {
  process.stderr.write(
    `This needs Node ${NEEDED_MAJOR} or newer and was run with ${process.versions.node}. ` +
      `Run "npm install" once and then "npm ${name === 'start' || name === 'test' ? name : `run ${name ?? 'start'}`}": npm brings the right Node with it.\n`,
  );
  process.exitCode = 1;
} else if (name === undefined || name === '--help' || name === '-h') {
  const lines = Object.entries(COMMANDS).map(
    ([command, what]) => `  npm run ${command.padEnd(10)}${what}`,
  );
  process.stdout.write(
    `Hoy Cancún\n\n${lines.join('\n')}\n\nEach of them takes --help: npm run release -- --help\n`,
  );
} else if (!Object.hasOwn(COMMANDS, name)) {
  process.stderr.write(
    `There is no command '${name}'. There are: ${Object.keys(COMMANDS).join(', ')}\n`,
  );
  process.exitCode = 1;
} else {
  // Types are stripped and code is compiled once for all runs: a start is quicker and a process
  // smaller by some 20 MB.
  module.enableCompileCache(
    fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)),
  );
  // Whoever serves for weeks, or builds beside that, is sparing with memory, however it was started.
  if (name === 'start' || name === 'release')
    (await import('../src/server/process/own-memory.ts')).becomeFrugal(name);
  // Whoever reads only the beginning, as `| head` does, ends no command halfway.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
  // The command sees its own arguments only.
  process.argv.splice(2, 1);
  try {
    // The tests bring settings of their own.
    if (name !== 'test') {
      const { loadSettings } = await import('../src/config.ts');
      loadSettings(fileURLToPath(new URL('../.env', import.meta.url)));
    }
    await import(`./${name}.ts`);
  } catch (thrown) {
    // What we throw ourselves says what to do; anything else is a bug of ours, and its stack says
    // where.
    const is_ours = thrown instanceof Error && thrown.name === 'Error';
    const is_typed_wrong = String(thrown?.code).startsWith('ERR_PARSE_ARGS');
    const text = is_ours
      ? [thrown.message, thrown.cause?.message].filter(Boolean).join(': ')
      : is_typed_wrong
        ? `${thrown.message}\nnpm run ${name} -- --help says what it takes.`
        : (thrown?.stack ?? thrown);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
    // What had begun before, as a look at the inbox or the line to the primary, keeps nothing alive.
    if (name === 'start') process.exit();
  }
}
