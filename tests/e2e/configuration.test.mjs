// .agneto/config.yaml: its page, its schema for editors, and what is said of mistakes in it.

import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {test} from 'node:test';

import {agneto, exit} from './lib/agneto.mjs';
import {files as flow} from './lib/page.mjs';
import {postgresql} from './lib/postgresql.mjs';
import {makeRepo, root} from './lib/repo.mjs';

const require = createRequire(join(root, 'build/e2e/package.json'));
const yaml = require('yaml');
const schema = JSON.parse(readFileSync(join(root, 'schemas/config.schema.json')));
const fits = new (require('ajv').default)({allowUnionTypes: true}).compile(schema);
const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
const example = page.match(/^```yaml\n(# yaml-language-server: \$schema=\S+\/config\.schema\.json\n[^]*?)^```$/m)[1];
const config = '.agneto/config.yaml';

// The places of the schema's keys, as the page calls them: 'limits.calls', 'prices.NAME.input'. What is said
// in one place for several, such as of every agent and of one, is one: 'agents.NAME'.
const places = (part, place = '') => [
  ...Object.entries(part.properties ?? {}).flatMap(([key, value]) => {
    const own = place ? `${place}.${key}` : key;
    const inside = places(value, own);
    const is_short = value.anyOf?.some((each) => each.type === 'string');  // for one of these
    return [...(inside.length && !is_short ? [] : [own]), ...inside];
  }),
  ...(part.anyOf ?? []).flatMap((each) => places(each, place)),
  ...(part.items ? places(part.items, place) : []),
  ...(part.additionalProperties?.$ref ? [`${place}.NAME`] : []),
  ...(part.additionalProperties?.type ? [places(part.additionalProperties, `${place}.NAME`), part.additionalProperties.properties ? [] : `${place}.NAME`].flat() : []),
];

test('the page and its example have every key of the schema', () => {
  const all = places(schema);
  assert.ok(all.length > 15);
  const told = [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, key]) => key);
  assert.deepEqual(told.filter((key) => key !== 'lint.paths').sort(), [...all].sort());
  const values = yaml.parse(example);
  assert.ok(fits(values), JSON.stringify(fits.errors));
  const find = (value, [key, ...rest]) => {
    if (key === undefined) return true;
    if (Array.isArray(value)) return value.some((item) => find(item, [key, ...rest]));
    if (key === 'NAME') return Object.values(value).some((item) => find(item, rest));
    return value?.[key] !== undefined && find(value[key], rest);
  };
  assert.deepEqual(all.filter((key) => !find(values, key.split('.'))), []);
});

test('the example of the page is what a run goes by', async (t) => {
  // Its database is nobody's.
  const repo = makeRepo(t, {files: {...flow, '.gitignore': '.env\n', [config]: example}, env: {AGNETO_JOURNAL: postgresql().database().uri}});
  repo.write({'.env': 'A=1\n'});
  const linted = await agneto(repo, ['lint', config]);
  assert.deepEqual([linted.out, linted.err, linted.status], ['', '', 0]);

  const dry = await agneto(repo, ['run', 'say hello', '-w', 'fix', '--dry-run', '--json', '--non-interactive']);
  const prompt = JSON.parse(dry.out.split('\n').find((line) => line.includes('"coder"')));
  assert.equal(prompt.provider, 'claude', dry.said);
  assert.equal(prompt.model, 'opus', dry.said);
  assert.match(dry.out, /Write comments in British English\.\\n\\nKeep functions short\./);
  assert.equal(dry.err, '');

  const run = await agneto(repo, ['run', 'say hello', '-w', 'fix', '--cassette', 'cassette.yaml', '--non-interactive', '--json']);
  assert.equal(run.status, exit.suspended, run.said);
  assert.doesNotMatch(run.out, /unknown-agent/);
  const [{run: id}] = (await agneto(repo, ['runs', '--json'])).out.trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(existsSync(join(repo.dir, '.agneto/worktrees', id, '.env')));
  repo.pass();
});

test('a dry run says what is wrong, and goes by the configuration of the worktree it is in', async (t) => {
  const repo = makeRepo(t, {files: {...flow, [config]: 'provider: codex\n'}});
  repo.git('worktree', 'add', '-q', '../other');
  repo.write({[config]: 'provider: gemini\nagents: {codr: {}}\n'}, {under: join(repo.dir, '../other')});
  const dry = await agneto(repo, ['run', 'x', '-w', 'fix', '--dry-run', '--json'], {cwd: join(repo.dir, '../other')});
  assert.match(dry.out, /"provider":"gemini"/);
  assert.equal(dry.err, `agneto: ${config}:2:10: no workflow has an agent 'codr' [W134/unknown-agent]; did you mean 'coder'?\n`);
  repo.pass();
});

// Each with the place and the words of what is wrong.
const mistakes = {
  'provder: claude\n': "1:1: error: unknown key 'provder' in config.yaml [E121/unknown-key]",
  'agents:\n  coder: {modle: x}\n': "2:11: error: unknown key 'modle' in agents.coder [E121/unknown-key]",
  'agents: [coder]\n': "1:9: error: 'agents' must be a map [E302/wrong-type]",
  'providers: {claude: fast}\n': "1:21: error: 'providers.claude' must be a map [E302/wrong-type]",
  'patience: soon\n': "1:11: error: 'patience' must be a duration such as 90s, 20m or 4h [E302/wrong-type]",
  'limits: {calls: 0}\n': "1:17: error: 'calls' must be a whole number above 0 [E302/wrong-type]",
  'limits: {cost: -1}\n': "1:16: error: 'cost' must be a number above 0 [E302/wrong-type]",
  'limits: {token: 1}\n': "1:10: error: unknown key 'token' in limits [E121/unknown-key]",
  'prices: {codex: {input: 1}}\n': "1:17: error: a price needs the key 'output' [E122/missing-key]",
  'prices: {codex: {input: -1, output: 1}}\n': "1:25: error: 'input' must be 0 or a number above 0 [E302/wrong-type]",
  'notify: {desktop: true}\n': "1:9: error: 'notify' must be a list [E302/wrong-type]",
  'notify: [{on: [gate]}]\n': '1:10: error: a notification needs one of command, desktop, webhook, mail [E127/one-of]',
  'notify: [{desktop: true, mail: a@b.c}]\n': '1:10: error: a notification needs one of command, desktop, webhook, mail [E127/one-of]',
  'notify: [{desktop: true, on: [gates]}]\n': "1:31: error: nobody is told of 'gates' [E302/wrong-type]",
  'notify: [{desktop: false}]\n': "1:20: error: 'desktop' must be true; leave it out else [E302/wrong-type]",
  'notify: [{command: []}]\n': "1:20: error: 'command' must be a list with something in it [E302/wrong-type]",
  'notify: [{mail: "Ada <ada@example.com>"}]\n': "1:17: error: 'mail' must be one address such as ada@example.com [E302/wrong-type]",
  'notify: [{mail: -oQ/tmp@example.com}]\n': "1:17: error: 'mail' must be one address such as ada@example.com [E302/wrong-type]",
  'notify: [{webhook: ftp://example.com}]\n': "1:20: error: 'webhook' must be an address such as https://example.com/hook, or $NAME [E302/wrong-type]",
  'notify: [{desktop: true, secret: x}]\n': '1:34: error: only a webhook has a secret [E127/one-of]',
  'serve: {url: agneto.example.com}\n': "1:14: error: 'serve.url' must be an address such as https://agneto.example.com [E302/wrong-type]",
  'serve: {keep: ever}\n': "1:15: error: 'serve.keep' must be a duration such as 90s, 20m or 4h [E302/wrong-type]",
  'schedules: {daily: {task: x}}\n': "1:20: error: a schedule needs the key 'cron' [E122/missing-key]",
  'schedules: {a day: {cron: "@daily", task: x}}\n': "1:13: error: 'a day' cannot name a schedule [E125/bad-name]",
  'schedules: {daily: {cron: 30 2 * *, task: x}}\n': "1:27: error: '30 2 * *' has 4 fields [E465/bad-schedule]",
  'schedules: {daily: {cron: "@daily", mised: once, task: x}}\n': "1:37: error: unknown key 'mised' in schedules.daily [E121/unknown-key]",
  'schedules: {daily: {cron: "@daily", missed: twice, task: x}}\n': "1:45: error: 'missed' must be skip or once [E302/wrong-type]",
  'schedules: {daily: {cron: "@daily", overlap: both, task: x}}\n': "1:46: error: 'overlap' must be skip or queue [E302/wrong-type]",
  'schedules: {daily: {cron: "@daily", jitter: some, task: x}}\n': "1:45: error: 'jitter' must be a duration such as 90s, 20m or 4h [E302/wrong-type]",
  'schedules: {daily: {cron: "@daily", priority: 101, task: x}}\n': "1:47: error: 'priority' must be a whole number from -100 to 100 [E302/wrong-type]",
  'workspace: {copy: .env}\n': "1:19: error: 'copy' must be a list [E302/wrong-type]",
  'lint: {rules: {W413: loud}}\n': "1:22: error: 'W413' must be off, warning or error [E302/wrong-type]",
  'lint: {explore: maybe}\n': "1:17: error: 'explore' must be true or false [E302/wrong-type]",
  'lint: {paths: [{match: a}]}\n': "1:16: error: a path needs the key 'rules' [E122/missing-key]",
};

test('the schema refuses what the program refuses, which lint tells with its place', async (t) => {
  const repo = makeRepo(t, {git: false, files: {[config]: ''}});
  for (const [text, message] of Object.entries(mistakes)) {
    assert.ok(!fits(yaml.parse(text)), text);
    repo.write({[config]: text});
    const end = await agneto(repo, ['lint']);
    assert.equal(end.out.split('\n')[0], `${config}:${message}`, end.said);
    assert.equal(end.status, 1, end.said);
  }
  repo.pass();
});

const typos = 'provider: cluade\nagents:\n  codr: {model: opus}\n';
const wrong_provider = (path) => `${path}:1:11: error: there is no provider 'cluade' [E133/unknown-provider]
provider: cluade
          ^~~~~~
  help: did you mean 'claude'?
`;
const wrong_agent = `${config}:3:3: warning: no workflow has an agent 'codr' [W134/unknown-agent]
  codr: {model: opus}
  ^~~~
  help: did you mean 'coder'?
`;

test('a typo in a name is told by lint, once, and corrected', async (t) => {
  const repo = makeRepo(t, {git: false, files: {...flow, [config]: typos, 'flows/fix.yaml': flow['.agneto/workflows/fix.yaml'].replace('../scripts', '../.agneto/scripts').replaceAll('coder', 'codr')}});
  const all = wrong_provider(config) + wrong_agent;
  for (const args of [[], ['.agneto/workflows'], ['.agneto/workflows/fix.yaml', config], [config]]) {
    const end = await agneto(repo, ['lint', ...args]);
    assert.deepEqual([end.out, end.err, end.status], [all, '', 1], end.said);
  }
  mkdirSync(join(repo.dir, 'deep/er'), {recursive: true});
  const inside = await agneto(repo, ['lint', '../../.agneto/workflows'], {cwd: join(repo.dir, 'deep/er')});
  assert.equal(inside.out, all.replaceAll(config, `../../${config}`), inside.said);

  const json = JSON.parse((await agneto(repo, ['lint', '--format', 'json'])).out);
  assert.deepEqual(json.files, [config, '.agneto/workflows/fix.yaml']);
  assert.deepEqual(json.findings.map((one) => [one.code, one.severity, one.place.path, one.place.line, one.fix.text]),
    [['E133', 'error', config, 1, 'claude'], ['W134', 'warning', config, 3, 'coder']]);
  const github = await agneto(repo, ['lint', '--format', 'github']);
  assert.match(github.out, /^::error file=\.agneto\/config\.yaml,line=1,endLine=1,col=11,endColumn=17,title=E133\/unknown-provider::there is no provider 'cluade'%0A/);

  const known = await agneto(repo, ['lint', 'flows/fix.yaml']);  // which has that agent
  assert.doesNotMatch(known.out, /W134/);
  repo.write({[config]: typos.replace('cluade', 'claude')});
  assert.deepEqual((({out, status}) => [out, status])(await agneto(repo, ['lint'])), [wrong_agent, 0]);
  assert.equal((await agneto(repo, ['lint', '--fail-on', 'warning'])).status, 1);
  repo.write({[config]: `${typos.replace('cluade', 'claude')}lint: {rules: {unknown-agent: off}}\n`});
  assert.equal((await agneto(repo, ['lint', '--fail-on', 'warning'])).said.includes('W134'), false);

  repo.write({[config]: typos});
  const fixed = await agneto(repo, ['lint', '--fix']);
  assert.equal(fixed.out, `fixed: ${config}:1:11: wrote 'claude' for 'cluade' [E133/unknown-provider]\n`
    + `fixed: ${config}:3:3: wrote 'coder' for 'codr' [W134/unknown-agent]\n`, fixed.said);
  assert.equal(readFileSync(join(repo.dir, config), 'utf8'), typos.replace('cluade', 'claude').replace('codr', 'coder'));
  repo.pass();
});

test('a run does not begin, nor go on, with a provider that there is not', async (t) => {
  const repo = makeRepo(t, {files: {...flow, [config]: 'agents: {codr: {model: opus}, planner: {model: opus}}\n'}});
  const play = ['run', 'say hello', '-w', 'fix', '--cassette', 'cassette.yaml', '--non-interactive'];
  const first = await agneto(repo, play);
  assert.equal(first.status, exit.suspended, first.said);
  const [remark, ...others] = first.out.match(/^.*config\.yaml.*$/gm);
  assert.match(remark, /^\d\d:\d\d:\d\d +\.agneto\/config\.yaml:1:10: no workflow has an agent 'codr' \[W134\/unknown-agent\]; did you mean 'coder'\?$/, first.said);
  assert.deepEqual(others, []);  // the Planner is of the bundled workflow

  repo.write({[config]: typos});
  const refusal = wrong_provider(join(repo.dir, config));
  for (const args of [play, ['run', 'x', '-w', 'fix', '--agent', 'codex'], ['run', 'x', '-w', 'fix', '--dry-run'], ['resume', 'last'], ['fork', 'last', '--at', '3']]) {
    const end = await agneto(repo, args);
    assert.deepEqual([end.out, end.err, end.status], ['', refusal, exit.usage], end.said);
  }
  assert.equal((await agneto(repo, ['runs', '--json'])).out.trim().split('\n').length, 1);
  assert.equal(repo.git('branch', '--list', 'agneto/*').split('\n').length, 1);
  const doctor = JSON.parse((await agneto(repo, ['doctor', '--json'])).out);
  const found = doctor.findings.find((one) => one.about === 'configuration');
  assert.equal(found.what, refusal.split('\n')[0]);

  const aborted = await agneto(repo, ['abort', 'last']);  // which needs none
  assert.equal(aborted.status, exit.complete, aborted.said);
  repo.pass();
});
