// An editor: the protocol's own client library, connected to the built program.

import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {program} from './agneto.mjs';
import {root} from './repo.mjs';

const require = createRequire(join(root, 'build/e2e/package.json'));
const rpc = require('vscode-jsonrpc/node');
const protocol = require('vscode-languageserver-protocol');

export {protocol};

export class Editor {
  // Starts the server in the repository and shakes hands.
  static async start(repo, {capabilities} = {}) {
    const editor = new Editor(repo);
    editor.server = await editor.connection.sendRequest(protocol.InitializeRequest.type, {
      processId: process.pid, rootUri: String(pathToFileURL(repo.dir)),
      capabilities: capabilities ?? {
        textDocument: {
          publishDiagnostics: {relatedInformation: true, codeDescriptionSupport: true, versionSupport: true},
          hover: {contentFormat: ['markdown']}, documentSymbol: {hierarchicalDocumentSymbolSupport: true},
        },
        workspace: {didChangeWatchedFiles: {dynamicRegistration: true}},
      },
    });
    await editor.connection.sendNotification(protocol.InitializedNotification.type, {});
    return editor;
  }

  constructor(repo) {
    this.repo = repo;
    this.child = spawn(program, ['lsp', '--stdio'], {cwd: repo.dir, env: repo.env, stdio: ['pipe', 'pipe', 'inherit']});
    this.ended = new Promise((resolve) => this.child.on('close', (status) => resolve(status)));
    this.connection = rpc.createMessageConnection(new rpc.StreamMessageReader(this.child.stdout), new rpc.StreamMessageWriter(this.child.stdin));
    this.shown = new Map();
    this.registered = [];
    this.watchers = [];
    this.connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
      this.shown.set(params.uri, params);
      for (const watcher of [...this.watchers]) watcher();
    });
    this.connection.onRequest(protocol.RegistrationRequest.type, ({registrations}) => { this.registered.push(...registrations); });
    this.connection.listen();
    this.texts = new Map();
  }

  uri(path) { return String(pathToFileURL(join(this.repo.dir, path))); }

  async open(path) {
    const text = readFileSync(join(this.repo.dir, path), 'utf8');
    this.texts.set(path, {text, version: 1});
    await this.connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
      textDocument: {uri: this.uri(path), languageId: path.endsWith('.lua') ? 'lua' : 'yaml', version: 1, text},
    });
  }

  // Replaces the first `from` in the file, as if it were typed.
  async edit(path, from, to) {
    const document = this.texts.get(path);
    const at = document.text.indexOf(from);
    if (at < 0) throw new Error(`there is no '${from}' in ${path}`);
    const range = {start: this.position(path, at), end: this.position(path, at + from.length)};
    document.text = document.text.slice(0, at) + to + document.text.slice(at + from.length);
    document.version += 1;
    await this.connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
      textDocument: {uri: this.uri(path), version: document.version}, contentChanges: [{range, text: to}],
    });
  }

  // The position of an offset, or of a place so far into the first occurrence of a text.
  position(path, where, further = 0) {
    const {text} = this.texts.get(path);
    const offset = typeof where === 'number' ? where : text.indexOf(where) + further;
    const lines = text.slice(0, offset).split('\n');
    return {line: lines.length - 1, character: lines.at(-1).length};
  }

  at(path, where, further) {
    return {textDocument: {uri: this.uri(path)}, position: this.position(path, where, further)};
  }

  // Resolves when the codes of what is shown in the file are these.
  shows(path, codes, limit = 60_000) {
    const now = () => (this.shown.get(this.uri(path))?.diagnostics ?? []).map(({code}) => code);
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!this.shown.has(this.uri(path)) || JSON.stringify(now()) !== JSON.stringify(codes)) return;
        clearTimeout(timer);
        this.watchers.splice(this.watchers.indexOf(look), 1);
        resolve(this.shown.get(this.uri(path)).diagnostics);
      };
      const timer = setTimeout(() => reject(new Error(`${path} shows ${now()} and never ${codes}`)), limit);
      this.watchers.push(look);
      look();
    });
  }

  async end() {
    await this.connection.sendRequest(protocol.ShutdownRequest.type);
    await this.connection.sendNotification(protocol.ExitNotification.type);
    return this.ended;
  }
}
