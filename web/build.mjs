// Bundles the pages into a folder: node build.mjs FOLDER. `./dev web` gives it build/web.
//
// The page itself has no script and no style: its files are named by what they hold, so a browser may keep them.

import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {gzipSync} from 'node:zlib';

import {build} from 'esbuild';

const longest_script = 150 * 1024;  // bytes, compressed
const there = process.argv[2] ?? '../build/web';

rmSync(there, {recursive: true, force: true});
mkdirSync(there, {recursive: true});
const built = await build({
  entryPoints: ['src/main.tsx', 'src/style.css'],
  outdir: join(there, 'assets'),
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
});

const made = Object.keys(built.metafile.outputs).map((path) => basename(path));
const named = (pattern) => made.find((name) => pattern.test(name));
const page = readFileSync('src/index.html', 'utf8')
  .replace('main.js', `/assets/${named(/^main-.*\.js$/)}`)
  .replace('style.css', `/assets/${named(/^style-.*\.css$/)}`);
writeFileSync(join(there, 'index.html'), page);

// Beside each file stands what is sent to those who take it compressed.
let script = 0;
for (const path of ['index.html', ...made.map((name) => join('assets', name))]) {
  const packed = gzipSync(readFileSync(join(there, path)), {level: 9});
  writeFileSync(join(there, `${path}.gz`), packed);
  if (path.endsWith('.js')) script += packed.length;
}
console.log(`${there}: ${Math.ceil(script / 1024)} KiB of compressed script`);
if (script > longest_script) {
  console.error(`web: that is more than ${longest_script / 1024} KiB; leave something out`);
  process.exit(1);
}
