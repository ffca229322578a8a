// The bundled workflow, played by the model: one chunk, whose plan is simplified once and whose
// code is revised once. Thirteen calls.

import assert from 'node:assert/strict';

const answer = (fields, words = 'I looked at it.') =>
  ({fields, reply: `${words}\n\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``});

// The reviewers try to change files, which must leave nothing behind.
const vandalism = [
  {write: 'vandalised.txt', text: 'A reviewer was here.\n'},
  {run: 'echo vandalised > vandalised-too.txt'},
];

const shouting = `#!/bin/sh
# Greets somebody; --shout does it in capitals.
if [ "$1" = --shout ]; then
  shift
  sh greet "$@" | tr a-z A-Z
else
  echo "Hello, \${1:-world}!"
fi
`;

const chunk = {
  title: 'Add --shout', description: 'greet --shout prints the greeting in capitals.'};

export const bundledScript = () => ({
  'Planner': [
    answer({verdict: 'PLAN_CREATED', plan: '1. Rewrite greet in Rust.\n2. Add --shout.'}),
    answer({verdict: 'PLAN_CREATED', plan: '1. Add --shout to greet, by tr.'}),
  ],
  'Curmudgeon': [
    answer({verdict: 'CURMUDGEON_SIMPLIFY', feedback: 'Leave out the Rust.'}),
    answer({verdict: 'CURMUDGEON_APPROVED'}),
  ],
  'Bean Counter': [
    answer({verdict: 'CHUNK_READY', ...chunk}),
    answer({verdict: 'TASK_COMPLETED', summary: 'greet can shout.'}),
  ],
  'Coder': [
    answer({verdict: 'PLAN_PROPOSED', proposal: 'Look for --shout first; pipe through tr.'}),
    {do: [{run: `cat > greet <<'EOF'\n${shouting}EOF`}], ...answer({verdict: 'CODE_APPLIED', summary: 'Add --shout\n\nThe greeting in capitals.'})},
    {
      do: [
        {write: 'SHOUT.md', text: '# --shout\n\nPrints the greeting in capitals.\n'},
        {run: `echo '[ "$(sh greet --shout Ada)" = "HELLO, ADA!" ]' >> test.sh`},
        {run: 'sh test.sh'},
      ],
      ...answer({verdict: 'CODE_APPLIED', summary: 'Add --shout\n\nThe greeting in capitals, tested.'}),
    },
  ],
  'Reviewer': [
    {do: vandalism, ...answer({verdict: 'PLAN_APPROVED'})},
    {do: vandalism, ...answer({verdict: 'CODE_REVISION_REQUESTED', feedback: 'Where is the test?'})},
    answer({verdict: 'CODE_APPROVED'}),
  ],
  'Super-Reviewer': [answer({verdict: 'SUPER_REVIEW_PASSED', summary: 'Let greet shout\n\nWith a test.'})],
});

const order = [
  'Planner', 'Curmudgeon', 'Planner', 'Curmudgeon', 'Bean Counter', 'Coder', 'Reviewer', 'Coder', 'Reviewer',
  'Coder', 'Reviewer', 'Bean Counter', 'Super-Reviewer'];

// A test command that notes in its HOME, which is the run's own in a sandbox, that it ran.
export const verify = 'echo "$PWD" >> "$HOME/verified" && sh test.sh';

// All that the model was told and said until this call, in its session or with the prompt, and how
// many of its prompts came before.
const conversation = (call) => [...call.earlier.map((message) => message.text), call.prompt].join('\n');
const promptsBefore = (call) => conversation(call).split(`You are the ${call.role}.`).length - 2;

// What must be so after the run, whatever CLI did the work.
// `sessions`: whether it continues its own conversations, or is sent what was said before.
export function checkBundled(repo, server, result, {sessions}) {
  assert.equal(result.status, 0, result.said);
  assert.deepEqual(server.problems, [], result.said);
  assert.deepEqual(server.calls.map((call) => call.role), order, result.said);

  // Merged: one commit on the base, the reviewed change and nothing else.
  assert.equal(repo.git('log', '--format=%s', 'main'), 'Let greet shout\nBegin');
  assert.equal(repo.git('diff', '--name-only', 'main~1', 'main'), 'SHOUT.md\ngreet\ntest.sh');
  assert.equal(repo.git('status', '--porcelain'), '');
  assert.equal(repo.sh('sh greet --shout Ada'), 'HELLO, ADA!\n');
  assert.equal(repo.read('SHOUT.md'), '# --shout\n\nPrints the greeting in capitals.\n');

  // The test command ran, once, in the run's own worktree.
  assert.match(repo.sh('cat .agneto/homes/*/verified 2>/dev/null || cat "$HOME/verified"'), /^\S*\/\.agneto\/worktrees\/[^/\n]+\n$/);

  // The prompts carry what they must.
  const [plan, simplified] = server.callsOf('Planner');
  assert.match(plan.prompt, /let greet shout/);
  assert.match(simplified.prompt, /Rewrite greet in Rust/);
  assert.match(simplified.prompt, /Leave out the Rust/);
  const [, , amend] = server.callsOf('Coder');
  assert.match(amend.prompt, /Where is the test\?/);
  assert.match(server.callsOf('Reviewer')[1].prompt, /\+.*tr a-z A-Z/);
  assert.match(server.callsOf('Super-Reviewer')[0].prompt, /\+\[ "\$\(sh greet --shout Ada\)"/);

  // Coder, Reviewer and Bean Counter go on with their conversations; the others start afresh.
  const before = (role) => server.callsOf(role).map(promptsBefore);
  assert.deepEqual(before('Coder'), [0, 1, 2]);
  assert.deepEqual(before('Reviewer'), [0, 1, 2]);
  assert.deepEqual(before('Bean Counter'), [0, 1]);
  for (const role of ['Planner', 'Curmudgeon']) assert.deepEqual(before(role), [0, 0], role);
  assert.match(conversation(amend), /pipe through tr/);
  assert.equal(/This is the conversation so far/.test(amend.prompt), !sessions);

  // Read-only was: the reviewers tried, and were refused, or could not even try.
  for (const call of server.callsOf('Reviewer').slice(0, 2)) assert.equal(call.results.length, vandalism.length, JSON.stringify(call));
  assert.equal(repo.git('log', '--all', '--format=%H', '--', 'vandalised.txt', 'vandalised-too.txt'), '');

  assert.deepEqual(repo.processes(), []);
}
