// The pages for people hang together: what they link to is there, every page is found from README.md,
// and the site that `./dev site` makes of them is whole.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {test} from 'node:test';

import {root} from './lib/repo.mjs';

const under = (folder) => readdirSync(folder, {withFileTypes: true}).flatMap((entry) =>
  (entry.isDirectory() ? under(join(folder, entry.name)) : [join(folder, entry.name)]));
const pages = ['README.md', 'CONTRIBUTING.md', ...under(join(root, 'docs')).filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(root.length + 1)).sort()];

// Code is no prose; of inline code only the text stays, for the anchors of headings.
const prose = (page) => readFileSync(join(root, page), 'utf8').replace(/^(```+)[^]*?^\1$/gm, '').replace(/^ {4}.*$/gm, '');

// As GitHub names the anchors of headings.
const anchors = (page) => {
  const found = new Set();
  for (const [, title] of prose(page).matchAll(/^#+ (.*)$/gm)) {
    const name = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let unique = name;
    for (let i = 1; found.has(unique); i += 1) unique = `${name}-${i}`;
    found.add(unique);
  }
  return found;
};

// [{target, anchor}] of a page's links within the repository.
const links = (page) => [...prose(page).replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link)
  .filter((link) => !/^[a-z]+:/.test(link))
  .map((link) => ({link, target: link.startsWith('#') ? page : normalize(join(dirname(page), link.replace(/#.*/, ''))), anchor: link.split('#')[1]}));

test('every link of the pages leads to a file and a heading that are there', () => {
  const wrong = pages.flatMap((page) => links(page)
    .filter(({target, anchor}) => !existsSync(join(root, target)) || (anchor && !anchors(target).has(anchor)))
    .map(({link}) => `${page}: ${link}`));
  assert.deepEqual(wrong, []);
  assert.ok(pages.flatMap(links).length > 300);
});

test('every page is found from README.md', () => {
  const found = new Set(['README.md']);
  for (const page of found) for (const {target} of links(page)) if (pages.includes(target)) found.add(target);
  assert.deepEqual(pages.filter((page) => !found.has(page)), []);
});

test('the site has all pages, none of its links is broken, and it needs nobody else', () => {
  execFileSync(join(root, 'dev'), ['site'], {stdio: 'pipe'});
  const site = join(root, 'build/site');
  const html = (page) => page.replace(/^README\.md$/, 'index.html').replace(/\/README\.md$/, '/index.html').replace(/\.md$/, '.html');
  const read = Object.fromEntries(under(site).filter((file) => file.endsWith('.html') && !file.endsWith('/404.html'))
    .map((file) => [file.slice(site.length + 1), readFileSync(file, 'utf8')]));
  assert.deepEqual(Object.keys(read).sort(), pages.map(html).sort());

  const wrong = [];
  const ids = Object.fromEntries(Object.entries(read).map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]));
  for (const [file, text] of Object.entries(read)) {
    for (const [all, name, link] of text.matchAll(/ (href|src)="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(link)) {
        if (name === 'src') wrong.push(`${file}: ${all}`);
        continue;
      }
      const [path, anchor] = link.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path === '.' ? 'index.html' : path));
      const there = existsSync(join(site, target)) && statSync(join(site, target)).isFile();
      if (!there || (anchor && target in ids && !ids[target].has(anchor))) wrong.push(`${file}: ${all}`);
    }
    for (const [said] of text.matchAll(/<link[^>]*href="https?:[^>]*>|<p>[^<]*```|^<p>- .*/gm)) wrong.push(`${file}: ${said}`);
  }
  assert.deepEqual(wrong, []);

  // What draws them is fetched by a script, so no link shows it.
  assert.match(read['docs/workflow.html'], /<pre class="diagram">/);
  assert.ok(existsSync(join(site, 'docs/mermaid.tiny.js')));

  const navigation = new Set([...readFileSync(join(root, 'mkdocs.yml'), 'utf8').matchAll(/- (\S+\.md)$/gm)].map(([, page]) => page));
  assert.deepEqual([...navigation].sort(), pages.filter((page) => !/^docs\/rules\/[EW]/.test(page)).sort());
});
