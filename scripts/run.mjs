// The one entry for npm: checks the Node that runs it, then the command, and runs the command.
// Plain JavaScript, so that an old Node can still say what is wrong.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED_MAJOR = 24;
const name = process.argv[2];

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

/** What we throw ourselves says what to do; anything else is a bug of ours, and its stack says where. */
function explain(thrown) {
  if (String(thrown?.code).startsWith('ERR_PARSE_ARGS'))
    return `${thrown.message}\nnpm run ${name} -- --help says what it takes.`;
  const is_ours = ['Error', 'AppError'].includes(thrown?.name);
  if (!is_ours) return thrown?.stack ?? thrown;
  return [thrown.message, thrown.cause?.message].filter(Boolean).join(': ');
}

const toPath = (path) => fileURLToPath(new URL(path, import.meta.url));

const { scripts } = JSON.parse(readFileSync(toPath('../package.json'), 'utf8'));
const commands = Object.keys(scripts).filter((one) => scripts[one].includes('run.mjs'));

if (!commands.includes(name)) {
  const is_asked = name === undefined || name === '--help';
  const list = `${commands.join(', ')}. Each says with --help what it takes.`;
  if (is_asked) process.stdout.write(`Commands: ${list}\n`);
  else fail(`There is no command '${name}'. There are ${list}`);
} else if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) {
  const again = name === 'start' || name === 'test' ? name : `run ${name}`;
  fail(
    `This needs Node ${NEEDED_MAJOR} or newer and was run with ${process.versions.node}. Run "npm install" once and then "npm ${again}": npm brings the right Node with it.`,
  );
} else {
  // Types are stripped and code is compiled once for all runs: a start is quicker, a process 20 MB smaller.
  module.enableCompileCache(toPath('../node_modules/.cache/compiled'));
  // Whoever reads only the beginning, as `| head` does, ends no command halfway.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
  // The command sees its own arguments only.
  process.argv.splice(2, 1);
  try {
    // The tests bring settings of their own.
    if (name !== 'test') {
      const { loadEnvFile, setFallbackTown } = await import('../src/config.ts');
      loadEnvFile(toPath('../.env'));
      if (name === 'new-town') setFallbackTown(toPath('../content'));
      if (name === 'restore') setFallbackTown(`${process.argv[2]}/content`);
    }
    await import(`./${name}.ts`);
  } catch (thrown) {
    fail(explain(thrown));
    // What had begun before, as a look at the inbox, keeps nothing alive.
    if (name === 'start') process.exit();
  }
}
