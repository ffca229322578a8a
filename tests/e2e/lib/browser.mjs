// A browser on the pages of a server: Debian's Chromium, driven by playwright-core.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

import {agneto, start} from './agneto.mjs';
import {root} from './repo.mjs';

const require = createRequire(join(root, 'build/e2e/package.json'));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
if (!existsSync(join(root, 'build/web/index.html'))) throw new Error('build/web is missing; build it with ./dev web');

// A server of the repository with tokens of these names and scopes: `url`, `as` (name -> token), `ask`. `end`
// ends it as a power cut would, and `again` starts it again at the same address.
export async function servePages(t, repo, tokens = {Ada: 'admin'}) {
  const as = {};
  for (const [name, scope] of Object.entries(tokens)) {
    const made = await agneto(repo, ['token', 'make', name, '--scope', scope]);
    as[name] = made.out.trim();
  }
  const served = {as, url: '', server: undefined};
  const begin = async (port) => {
    served.server = start(repo, ['serve', '--listen', `127.0.0.1:${port}`]);
    const [, url] = await served.server.says(/^API: (http:\/\/127\.0\.0\.1:\d+)\/api\/v1\/\n/);
    served.url = url;
  };
  const end = async () => {
    served.server.kill('SIGKILL');
    await served.server.ended.catch(() => {});
  };
  await begin(0);
  t.after(end);
  served.end = end;
  served.again = () => begin(new URL(served.url).port);
  // The API, without a browser.
  served.ask = async (method, path, {body, by = Object.keys(as)[0]} = {}) => {
    const response = await fetch(`${served.url}/api/v1${path}`, {
      method, headers: {authorization: `Bearer ${as[by]}`}, body: body && JSON.stringify(body)});
    const text = await response.text();
    return {status: response.status, text, json: /json/.test(response.headers.get('content-type')) ? JSON.parse(text) : undefined};
  };
  return served;
}

// The path of Debian's Chromium.
export const chromium = () => execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'], {encoding: 'utf8'}).trim();

// One browser for a file of tests; `sign` opens a page that is signed in, as another person's browser would. A page
// keeps what it has asked for (`asked`), what of that was more than reading (`wrote`), and its `faults`.
export function browsers(t) {
  const {chromium: chromiums} = require('playwright-core');
  let browser;
  t.after(() => browser?.close());
  const open = async (options = {}) => {
    browser ??= await chromiums.launch({executablePath: chromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']});
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    page.faults = [];
    page.asked = [];
    page.wrote = [];
    page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
    // What the policy forbids is told here; that the server is away is no fault of the page.
    page.on('console', (said) => {
      if (said.type() === 'error' && !/^Failed to load resource/.test(said.text())) page.faults.push(said.text());
    });
    page.on('request', (request) => {
      page.asked.push(request.url());
      if (request.method() !== 'GET') page.wrote.push(`${request.method()} ${request.url()}`);
    });
    return page;
  };
  const sign = async (served, name, path = '/', options = {}) => {
    const page = await open(options);
    await page.goto(`${served.url}${path}#token=${served.as[name]}`);
    await page.locator('header.head').waitFor();
    assert.ok(!page.url().includes('token'), page.url());
    return page;
  };
  return {open, sign};
}

// What axe finds wrong on a page, each in a line.
export async function violations(page) {
  await page.evaluate(axe);
  const {violations: found} = await page.evaluate(() => globalThis.axe.run({resultTypes: ['violations']}));
  return found.map(({id, nodes}) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}
