// A team of agents that do what a script says, as real processes of the provider `command`. Unlike
// a cassette they can be seen at work, held, and killed.
//
//   const team = makeTeam(repo, {planner: [{fields: {verdict: 'PLAN_CREATED', plan: '...'}}], ...});
//
// The nth call of an agent in a run plays the nth entry: {do: shell, hold: true, fields | reply | exit}.
// `do` runs first; with `hold` it then waits for release(agent, nth); `last: true` repeats for all
// calls after it. What an agent was asked is kept: calls().

import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

const agent = fileURLToPath(new URL('team-agent.mjs', import.meta.url));

export function makeTeam(repo, script, {config = ''} = {}) {
  const folder = join(repo.home, 'team');
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'script.json'), JSON.stringify(script));
  repo.env.TEAM = folder;
  repo.write({
    '.agneto/config.yaml': `provider: command
providers:
  command: {argv: [${JSON.stringify(process.execPath)}, ${JSON.stringify(agent)}]}
${config}`});
  repo.commit('Configure the team');
  return new Team(folder);
}

class Team {
  constructor(folder) { this.folder = folder; }

  // Every call so far, in the order in which they began: {run, agent, nth, state, prompt, status}, where
  // `status` is what git saw changed when the call began.
  calls() {
    return readdirSync(this.folder).filter((name) => /^call-.*\.json$/.test(name)).sort()
      .map((name) => JSON.parse(readFileSync(join(this.folder, name), 'utf8')));
  }

  // Waits until the nth call of the agent has done its `do`, and holds.
  async held(agent, nth = 1, {limit = 60_000} = {}) {
    const until = Date.now() + limit;
    while (!existsSync(join(this.folder, `held-${agent}-${nth}`))) {
      if (Date.now() > until) throw new Error(`call ${nth} of ${agent} does not come; so far: ${JSON.stringify(this.calls(), null, 1)}`);
      await sleep(20);
    }
  }

  release(agent, nth = 1) { writeFileSync(join(this.folder, `release-${agent}-${nth}`), ''); }
}

// One chunk that goes through without revision, as nine calls. `change` is what the Coder does.
export const smooth = (change = 'echo shouting >> greet') => ({
  planner: [{fields: {verdict: 'PLAN_CREATED', plan: 'Make greet shout.'}, last: true}],
  curmudgeon: [{fields: {verdict: 'CURMUDGEON_APPROVED'}, last: true}],
  bean_counter: [
    {fields: {verdict: 'CHUNK_READY', title: 'Shout', description: 'All of it.'}},
    {fields: {verdict: 'TASK_COMPLETED', summary: 'greet shouts.'}, last: true},
  ],
  coder: [
    {fields: {verdict: 'PLAN_PROPOSED', proposal: 'Append a line.'}},
    {do: change, fields: {verdict: 'CODE_APPLIED', summary: 'Make greet shout'}, last: true},
  ],
  reviewer: [
    {fields: {verdict: 'PLAN_APPROVED'}},
    {fields: {verdict: 'CODE_APPROVED'}, last: true},
  ],
  super_reviewer: [{fields: {verdict: 'SUPER_REVIEW_PASSED', summary: 'Let greet shout'}, last: true}],
});
