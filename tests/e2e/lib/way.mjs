// What stands between programs and a PostgreSQL, as a process of its own: each piece that passes is late by up to a few
// milliseconds, connections are cut, and all of it may stand still. HAProxy can do the second of these alone: its
// `inspect-delay` makes connections begin late, and passes at once what comes then.

import {spawn} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import net from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';

import {until} from './served.mjs';

const socket = '.s.PGSQL.5432';

// To the server whose socket is in that folder; it ends with the test. `folder` of it has the socket of the way.
export async function startWay(t, server, {late = 5} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'agneto-way-'));
  const way = spawn(process.execPath, [fileURLToPath(import.meta.url), folder, server, `${late}`], {stdio: ['pipe', 'ignore', 'inherit']});
  t.after(() => {
    way.kill('SIGKILL');
    rmSync(folder, {recursive: true, force: true});
  });
  await until(() => existsSync(join(folder, socket)));
  return {
    folder,
    // All connections that there are; what was under way may have come to the server or not.
    cut() { way.stdin.write('cut\n'); },
    // Nothing passes for so long, and nothing is lost.
    async stand_still(milliseconds) {
      way.kill('SIGSTOP');
      await sleep(milliseconds);
      way.kill('SIGCONT');
    },
  };
}

function serve(folder, server, late) {
  const open = new Set();
  const pass = (from, to) => {
    let passed = Promise.resolve();  // what has come so far, one piece after the other
    const then = (what) => { passed = passed.then(() => sleep(late * Math.random())).then(what); };
    from.on('data', (piece) => then(() => to.write(piece)));
    from.on('close', () => {
      open.delete(from);
      then(() => to.destroy());
    });
    from.on('error', () => {});
    open.add(from);
  };
  net.createServer((client) => {
    const further = net.connect(join(server, socket));
    pass(client, further);
    pass(further, client);
  }).listen(join(folder, socket));
  process.stdin.on('data', () => { for (const each of open) each.destroy(); }).on('end', () => process.exit());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, server, late] = process.argv.slice(2);
  serve(folder, server, Number(late));
}
