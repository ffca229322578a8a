// A scripted model on loopback. It speaks what the real CLIs speak (Anthropic's /v1/messages,
// OpenAI's /v1/responses and /v1/chat/completions, all as server-sent events), so that a real CLI
// does real work without an account: it runs the tools that the script names and says what the
// script says.
//
// A script maps a role to its calls, in order. Every prompt of the bundled hooks begins with
// "You are the ROLE"; that line tells whose call it is:
//
//   startModelServer({
//     Planner: [{reply: 'the plan ... VERDICT: PLAN_CREATED'}],
//     Coder: [{do: [{write: 'a.txt', text: 'hello'}, {run: 'make'}], reply: '...'}],
//   })
//
// A call is `{do: [STEP...], reply: TEXT}`, a step {write, text}, {run} or, to name
// a CLI's own tool, {tool, input}; `fields` is the structured answer where the CLI asks for one,
// `status: 500` refuses, with `after: 60` until so many seconds from then; `pause: 200` says the reply word by word, with so many milliseconds between. A role may also be a function (nth, call) => the call.

import {createServer} from 'node:http';

import {apiAt} from './model-apis.mjs';

export async function startModelServer(script, {log} = {}) {
  const server = new ModelServer(script, log);
  await server.listen();
  return server;
}

class ModelServer {
  // Every call of an agent so far: {role, nth, prompt, earlier, tools, schema, model, results}, where
  // `earlier` is the conversation before this prompt and `results` what the tools said.
  calls = [];
  // What went wrong with the script: a role without a call left, a tool the CLI does not offer.
  problems = [];

  constructor(script, log) {
    this.script = script;
    this.log = log;
    this.http = createServer((request, response) => this.#answer(request, response));
  }

  listen() {
    return new Promise((resolve, reject) => {
      this.http.on('error', reject);
      this.http.listen(0, '127.0.0.1', () => {
        this.port = this.http.address().port;
        this.url = `http://127.0.0.1:${this.port}`;
        resolve();
      });
    });
  }

  close() {
    this.http.closeAllConnections?.();
    return new Promise((resolve) => this.http.close(resolve));
  }

  callsOf(role) {
    return this.calls.filter((call) => call.role === role);
  }

  async #answer(request, response) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = request.url.split('?')[0];
    const api = apiAt(path);
    this.log?.(`${request.method} ${request.url}`, text);
    if (request.method !== 'POST' || !api) {
      response.writeHead(request.method === 'HEAD' ? 200 : 404, {'content-type': 'application/json'});
      response.end(request.method === 'HEAD' ? '' : '{"error":{"message":"not scripted"}}');
      return;
    }
    let answer;
    try {
      answer = this.#play(api.read(JSON.parse(text)));
    } catch (error) {
      this.problems.push(String(error.message ?? error));
      answer = {text: `The script has no answer: ${error.message ?? error}`};
    }
    if (answer.status) {
      const after = answer.after ? {'retry-after': String(answer.after)} : {};
      response.writeHead(answer.status, {'content-type': 'application/json', ...after});
      response.end(JSON.stringify({
        type: 'error', error: {type: 'api_error', message: answer.message ?? 'scripted failure'}}));
      return;
    }
    response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
    if (answer.pause) {
      for (const event of api.write({...answer, slowly: true}).split(/(?<=\n\n)/)) {
        response.write(event);
        await new Promise((resolve) => { setTimeout(resolve, answer.pause); });
      }
      return response.end();
    }
    response.end(api.write(answer));
  }

  // `turn` and the answer are as model-apis.mjs describes them.
  #play(turn) {
    const asked = turn.messages.findLastIndex((message) => message.role === 'user' && ROLE.test(message.text));
    if (asked < 0 || turn.tools.length === 0) return {text: 'ok'};  // the CLI's own small talk: titles and such
    const prompt = turn.messages.findLastIndex((message) => message.role === 'user');
    const done = turn.messages.slice(prompt + 1).filter((message) => message.result !== undefined);
    const role = turn.messages[asked].text.match(ROLE)[1];
    const call = done.length === 0 ? this.#begin(role, turn, prompt) : this.#running(role, turn.messages[prompt].text);
    call.results = done.map((message) => message.result);
    const play = call.play;
    if (play.status) return {status: play.status, message: play.message, after: play.after};
    const steps = play.do ?? [];
    if (done.length < steps.length) return {text: 'Working on it.', tool: this.#tool(steps[done.length], turn)};
    const structured = turn.tools.find((tool) => tool.name === 'StructuredOutput');
    if (structured && play.fields && done.length === steps.length) {
      return {text: play.reply, tool: {name: 'StructuredOutput', input: complete(play.fields, structured.input_schema)}};
    }
    if (turn.schema && play.fields) return {text: JSON.stringify(complete(play.fields, turn.schema))};
    return {text: play.reply, pause: play.pause};
  }

  #begin(role, turn, prompt) {
    const nth = this.callsOf(role).length + 1;
    const call = {
      role, nth, model: turn.model, schema: turn.schema, tools: turn.tools.map((tool) => tool.name),
      prompt: turn.messages[prompt].text, results: [],
      earlier: turn.messages.slice(0, prompt).filter((message) => message.text),
    };
    this.calls.push(call);
    const plays = this.script[role];
    call.play = typeof plays === 'function' ? plays(nth, call) : plays?.[nth - 1];
    if (!call.play) throw new Error(`the script has ${plays?.length ?? 0} calls for ${role}, this is number ${nth}:\n${call.prompt}`);
    return call;
  }

  #running(role, prompt) {
    const call = this.calls.findLast((each) => each.role === role && each.prompt === prompt);
    if (!call?.play) throw new Error(`a tool's result for a call of ${role} that never began`);
    return call;
  }

  // A step may name the tool itself, whether or not it is offered.
  #tool(step, turn) {
    if (step.tool) return {name: step.tool, input: step.input, freeform: typeof step.input === 'string'};
    // Rather one that is offered; a model may also try one that was taken away from it.
    for (const names of [turn.tools.map((tool) => tool.name), turn.usual]) {
      for (const [name, make] of TOOLS) {
        const input = names.includes(name) && make(step, turn);
        if (input) return {name, input, freeform: typeof input === 'string'};
      }
    }
    throw new Error(`no tool for ${JSON.stringify(step)} among ${turn.tools.map((tool) => tool.name).join(', ')}`);
  }
}

const ROLE = /You are the (Task Refiner|Planner|Curmudgeon|Bean Counter|Coder|Reviewer|Super-Reviewer)/;

// As a model fills in a schema whose every property is required: null where it has nothing to say.
const complete = (fields, schema) =>
  ({...Object.fromEntries((schema.required ?? []).map((name) => [name, null])), ...fields});

// The tools of the CLIs, by name, for the steps {write, text} and {run}. Paths are relative to the
// folder that the CLI says it works in.
const TOOLS = [
  ['Write', (step, turn) => step.write && {file_path: absolute(step.write, turn), content: step.text}],
  ['write', (step, turn) => step.write && {filePath: absolute(step.write, turn), content: step.text}],
  ['write_file', (step) => step.write && {file_path: step.write, content: step.text}],
  ['Bash', (step) => ({command: shell(step), description: 'scripted'})],
  ['bash', (step) => ({command: shell(step), description: 'scripted'})],
  ['run_shell_command', (step) => ({command: shell(step), description: 'scripted'})],
  ['exec_command', (step) => ({cmd: shell(step)})],
  ['exec', (step) => `text((await tools.exec_command(${JSON.stringify({cmd: shell(step)})})).output)`],
];

const shell = (step) =>
  step.run ?? `cat > '${step.write}' <<'END_OF_FILE'\n${step.text}${step.text.endsWith('\n') ? '' : '\n'}END_OF_FILE`;

function absolute(path, turn) {
  if (!turn.folder) throw new Error('the CLI does not say which folder it works in');
  return `${turn.folder}/${path}`;
}
