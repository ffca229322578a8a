// A program in a real terminal: keys in, screen out.

import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';

const quote = (word) => `'${word.replaceAll("'", "'\\''")}'`;

export class Terminal {
  // Starts `argv` in a terminal of its own, which the end of the test closes.
  constructor(t, argv, {cwd, env, width = 110, height = 40}) {
    this.folder = mkdtempSync(join(tmpdir(), 'agneto-tmux-'));
    this.socket = join(this.folder, 'socket');
    const words = Object.entries(env).map(([name, value]) => quote(`${name}=${value}`));
    const command = ['exec env -i', ...words, ...argv.map(quote)].join(' ');
    this.#tmux('new-session', '-d', '-s', 'main', '-x', String(width), '-y', String(height), '-c', cwd,
      // The shell waits until the pane is told to stay, so that nothing it says last is lost.
      `read -r go; ${command}`, ';', 'set-option', '-g', 'remain-on-exit', 'on');
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
      if (this.#dead() && !this.screen().match(pattern)) {
        throw new Error(`the program ended (${this.#end()}) without showing ${pattern}:\n${this.screen()}`);
      }
      await sleep(50);
    }
  }

  // Waits for the program's end; resolves to its exit status, or to the signal that ended it.
  async ended({limit = 120_000} = {}) {
    const until = Date.now() + limit;
    // The pane closes a moment before tmux knows how the program ended.
    for (let how; ; await sleep(50)) {
      how = this.#end();
      if (how) return /^\d+$/.test(how) ? Number(how) : how;
      if (Date.now() > until) throw new Error(`still running:\n${this.screen()}`);
    }
  }

  #dead() { return this.#tmux('display-message', '-p', '-t', 'main', '#{pane_dead}').trim() === '1'; }
  #end() {
    return this.#tmux('display-message', '-p', '-t', 'main',
      '#{?pane_dead,#{?pane_dead_signal,signal #{pane_dead_signal},#{pane_dead_status}},}').trim();
  }

  close() {
    try { this.#tmux('kill-server'); } catch { /* it has gone */ }
    rmSync(this.folder, {recursive: true, force: true});
  }
}
