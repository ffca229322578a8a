// The three wire formats of model-server.mjs: each reads a request into one shape and writes an
// answer {text, tool: {name, input, freeform}} as server-sent events.
//
// The shape: {model, folder, tools: [{name}], usual, schema, messages: [{role, text} | {result}]},
// where `folder` is where the CLI says it works and `usual` names the tools its models are used to.

import {randomUUID} from 'node:crypto';

const sse = (events) =>
  events.map((event) => `${event.type && event.type !== 'chat' ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
const textOf = (content) =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const folderIn = (text) => text.match(/working directory: *([^\s"\\<]+)/i)?.[1];
const id = (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

// What a model says, at once or word by word.
const pieces = (text, slowly) => (slowly && text.match(/\S+\s*/g)) || [text];

const anthropic = {
  read(body) {
    const messages = [];
    for (const {role, content} of body.messages) {
      const parts = typeof content === 'string' ? [{type: 'text', text: content}] : content;
      const results = parts.filter((part) => part.type === 'tool_result');
      for (const result of results) messages.push({result: textOf(result.content)});
      // The CLI's own reminders come with everything; what is left besides results is a prompt.
      const text = textOf(parts.filter((part) => part.type !== 'tool_result')).replace(REMINDER, '').trim();
      if (text !== '' || results.length === 0) messages.push({role, text});
    }
    const system = JSON.stringify([body.system, body.messages.map((message) => message.content)]);
    return {model: body.model, folder: folderIn(system), tools: body.tools ?? [], usual: ['Write', 'Bash'], messages};
  },
  write({text, tool, slowly}) {
    const events = [{
      type: 'message_start',
      message: {
        id: id('msg'), type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [],
        stop_reason: null, stop_sequence: null, usage: {input_tokens: 100, output_tokens: 1},
      },
    }];
    const block = (index, start, ...deltas) => events.push(
      {type: 'content_block_start', index, content_block: start},
      ...deltas.map((delta) => ({type: 'content_block_delta', index, delta})),
      {type: 'content_block_stop', index});
    let index = 0;
    if (text) block(index++, {type: 'text', text: ''}, ...pieces(text, slowly).map((piece) => ({type: 'text_delta', text: piece})));
    if (tool) {
      block(index, {type: 'tool_use', id: id('toolu'), name: tool.name, input: {}},
        {type: 'input_json_delta', partial_json: JSON.stringify(tool.input)});
    }
    events.push(
      {type: 'message_delta', delta: {stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null}, usage: {output_tokens: 20}},
      {type: 'message_stop'});
    return sse(events);
  },
};

const responses = {
  read(body) {
    const messages = [];
    for (const item of body.input) {
      if (item.type === 'message') messages.push({role: item.role, text: textOf(item.content)});
      if (/_output$/.test(item.type)) messages.push({result: typeof item.output === 'string' ? item.output : JSON.stringify(item.output)});
    }
    // Newer models are given their tools in the conversation.
    const given = body.input.filter((item) => item.type === 'additional_tools').flatMap((item) => item.tools);
    const tools = [...(body.tools ?? []), ...given]
      .flatMap((tool) => (tool.type === 'namespace' ? tool.tools : [tool]))
      .map((tool) => ({...tool, name: tool.name ?? tool.type}));
    return {model: body.model, tools, usual: ['exec_command'], schema: body.text?.format?.schema, messages};
  },
  write({text, tool, slowly}) {
    const response = {id: id('resp'), object: 'response', status: 'in_progress', output: []};
    const events = [{type: 'response.created', response}];
    const item = (output_index, done) => {
      events.push({type: 'response.output_item.added', output_index, item: {...done, status: 'in_progress', content: []}});
      if (done.type === 'message') {
        for (const delta of pieces(done.content[0].text, slowly)) {
          events.push({type: 'response.output_text.delta', item_id: done.id, output_index, content_index: 0, delta});
        }
      }
      events.push({type: 'response.output_item.done', output_index, item: done});
      response.output.push(done);
    };
    if (text && !tool) {
      item(0, {type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content: [{type: 'output_text', text, annotations: []}]});
    }
    if (tool?.freeform) {
      item(0, {type: 'custom_tool_call', id: id('ctc'), call_id: id('call'), name: tool.name, input: tool.input, status: 'completed'});
    } else if (tool) {
      item(0, {type: 'function_call', id: id('fc'), call_id: id('call'), name: tool.name, arguments: JSON.stringify(tool.input), status: 'completed'});
    }
    events.push({
      type: 'response.completed',
      response: {
        ...response, status: 'completed',
        usage: {
          input_tokens: 100, input_tokens_details: {cached_tokens: 0}, output_tokens: 20,
          output_tokens_details: {reasoning_tokens: 0}, total_tokens: 120,
        },
      },
    });
    return sse(events);
  },
};

const chat = {
  read(body) {
    const messages = body.messages.map((message) =>
      message.role === 'tool' ? {result: textOf(message.content)} : {role: message.role, text: textOf(message.content)});
    return {
      model: body.model, folder: folderIn(JSON.stringify(body.messages)),
      tools: (body.tools ?? []).map((tool) => tool.function), usual: ['write', 'bash'], messages,
    };
  },
  write({text, tool, slowly}) {
    const chunk = (delta, finish_reason = null, usage) => `data: ${JSON.stringify({
      id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted',
      choices: [{index: 0, delta, finish_reason}], ...(usage && {usage})})}\n\n`;
    let out = pieces(text ?? '', slowly).map((content) => chunk({role: 'assistant', content})).join('');
    if (tool) {
      out += chunk({tool_calls: [{index: 0, id: id('call'), type: 'function', function: {name: tool.name, arguments: JSON.stringify(tool.input)}}]});
    }
    out += chunk({}, tool ? 'tool_calls' : 'stop', {prompt_tokens: 100, completion_tokens: 20, total_tokens: 120});
    return `${out}data: [DONE]\n\n`;
  },
};

const google = {
  read(body) {
    const messages = [];
    for (const {role, parts} of body.contents) {
      const results = parts.filter((part) => part.functionResponse);
      for (const part of results) messages.push({result: JSON.stringify(part.functionResponse.response)});
      if (results.length === 0) messages.push({role: role === 'model' ? 'assistant' : 'user', text: textOf(parts)});
    }
    const tools = (body.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
    return {model: '', tools, usual: ['write_file', 'run_shell_command'], messages};
  },
  write({text, tool, slowly}) {
    const parts = [
      ...(text ? pieces(text, slowly).map((piece) => ({text: piece})) : []),
      ...(tool ? [{functionCall: {name: tool.name, args: tool.input}}] : [])];
    const chunk = (some, more = {}) => `data: ${JSON.stringify({
      candidates: [{index: 0, content: {role: 'model', parts: some}, ...more}],
      usageMetadata: {promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120}})}\n\n`;
    return (slowly ? parts.slice(0, -1).map((part) => chunk([part])).join('') : '')
      + chunk(slowly ? parts.slice(-1) : parts, {finishReason: 'STOP'});
  },
};

export function apiAt(path) {
  if (/:streamGenerateContent$/.test(path)) return google;
  return {'/v1/messages': anthropic, '/v1/responses': responses, '/v1/chat/completions': chat}[path];
}
