// A program in a real terminal: keys in, screen out.

import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

const quote = (word) => `'${word.replaceAll("'", "'\\''")}'`;

export class Terminal {
  // Starts `argv` in a terminal of its own, which the end of the test closes.
  constructor(t, argv, {cwd, env, width = 110, height = 40}) {
    this.folder = mkdtempSync(join(tmpdir(), 'agneto-tmux-'));
    this.socket = join(this.folder, 'socket');
    this.status = join(this.folder, 'status');
    const words = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
    const command = ['env -i', ...words, ...argv.map(quote)].join(' ');
    // The shell waits until the pane is told to stay, so that nothing said last is lost. It keeps the
    // status itself: tmux misses the end of a program now and then.
    this.#tmux('new-session', '-d', '-s', 'main', '-x', String(width), '-y', String(height), '-c', cwd,
      `trap : INT QUIT HUP TERM; read -r go; ${command}; echo $? > ${quote(this.status)}`, ';',
      'set-option', '-g', 'remain-on-exit', 'on');
    this.send('Enter');
    t.after(() => this.close());
  }

  #tmux(...args) {
    return execFileSync('tmux', ['-S', this.socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8', env: {PATH: process.env.PATH, HOME: this.folder, LANG: 'C.UTF-8', TERM: 'xterm-256color'}});
  }

  // Keys by tmux's names: 'C-c', 'Enter', 'y'.
  send(...keys) { this.#tmux('send-keys', '-t', 'main', ...keys); }
  type(text) { this.#tmux('send-keys', '-t', 'main', '-l', text); }

  resize(width, height) {
    this.#tmux('resize-window', '-t', 'main', '-x', String(width), '-y', String(height));
  }

  // What is on the screen, and what has scrolled out of it.
  screen() { return this.#tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'main'); }

  // Waits for the text; resolves to its match.
  async shows(pattern, {limit = 120_000} = {}) {
    const until = Date.now() + limit;
    for (;;) {
      const screen = this.screen();
      const match = screen.match(pattern);
      if (match) return match;
      if (Date.now() > until) throw new Error(`the terminal does not show ${pattern}:\n${screen}`);
      const status = this.#end();
      if (status !== undefined && !this.screen().match(pattern)) {
        throw new Error(`the program ended (${status}) without showing ${pattern}:\n${this.screen()}`);
      }
      await sleep(50);
    }
  }

  // Waits for the program's end; resolves to its exit status, 128 and more for a signal.
  async ended({limit = 120_000} = {}) {
    const until = Date.now() + limit;
    for (;;) {
      const status = this.#end();
      if (status !== undefined) return status;
      if (Date.now() > until) throw new Error(`still running after ${limit / 1000} s:\n${this.screen()}`);
      await sleep(50);
    }
  }

  // The exit status, once there is one.
  #end() {
    try {
      const text = readFileSync(this.status, 'utf8');
      return text.endsWith('\n') ? Number(text) : undefined;
    } catch (error) {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  close() {
    try { this.#tmux('kill-server'); } catch { /* it has gone */ }
    rmSync(this.folder, {recursive: true, force: true});
  }
}
