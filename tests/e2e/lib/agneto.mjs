// Runs the built program and collects what it says.

import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {root} from './repo.mjs';

export const program = process.env.AGNETO ?? join(root, 'build/release/agneto');
if (!existsSync(program)) throw new Error(`${program} is missing; build it with ./dev build, or set AGNETO`);

export const exit = {complete: 0, failed: 1, usage: 2, suspended: 3, aborted: 4};

// Starts it without a terminal. `ended` resolves to {status, signal, out, err}; past the limit (milliseconds; Infinity:
// there is none) everything it started is ended and the promise fails with what it said so far.
export function start(repo, args, {env = {}, limit = 300_000, cwd = repo.dir, input} = {}) {
  const child = spawn(program, args, {cwd, env: {...repo.env, ...env}, detached: true, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']});
  let out = '';
  let err = '';
  repo.started?.push(child);
  const watchers = [];
  const heard = () => { for (const watcher of [...watchers]) watcher(); };
  child.stdout.setEncoding('utf8').on('data', (text) => { out += text; heard(); });
  child.stderr.setEncoding('utf8').on('data', (text) => { err += text; heard(); });
  if (input !== undefined) child.stdin.end(input);
  const said = () => `agneto ${args.join(' ')}\n--- stdout\n${out}\n--- stderr\n${err}`;
  const ended = new Promise((resolve, reject) => {
    const timer = limit !== Infinity && setTimeout(() => {
      try { process.kill(-child.pid, 'SIGKILL'); } catch { /* gone already */ }
      reject(new Error(`still running after ${limit / 1000} s: ${said()}`));
    }, limit);
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      resolve({status, signal, out, err, said: said()});
    });
  });
  ended.catch(() => {});
  // Resolves when its output matches; fails when it ends without.
  const says = (pattern) => new Promise((resolve, reject) => {
    const look = () => {
      const match = out.match(pattern);
      if (!match) return;
      watchers.splice(watchers.indexOf(look), 1);
      resolve(match);
    };
    watchers.push(look);
    look();
    ended.then(() => reject(new Error(`it ended without saying ${pattern}: ${said()}`)), reject);
  });
  return {child, ended, says, kill: (signal) => child.kill(signal)};
}

export const agneto = (repo, args, options) => start(repo, args, options).ended;
