// What Lighthouse says of a page, at its setting for desktops, in Debian's Chromium.

import {join} from 'node:path';

import {chromium} from './browser.mjs';
import {root} from './repo.mjs';

const modules = join(root, 'build/e2e/node_modules');
const {default: lighthouse, desktopConfig} = await import(join(modules, 'lighthouse/core/index.js'));
const {launch} = await import(join(modules, 'chrome-launcher/dist/index.js'));

const longest_load = 4000;  // ms; a page that follows a stream always loads something

// The first view of a browser that was never there: its scores of 100, when something is seen (in ms), how many kB
// came by how many requests, and which audits have failed.
export async function firstView(url) {
  const browser = await launch({chromePath: chromium(), chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking']});
  try {
    const {lhr} = await lighthouse(url, {port: browser.port, onlyCategories: ['performance', 'accessibility'], maxWaitForLoad: longest_load, disableFullPageScreenshot: true, logLevel: 'error'}, desktopConfig);
    const {categories, audits} = lhr;
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    return {
      performance: Math.round(categories.performance.score * 100), accessibility: Math.round(categories.accessibility.score * 100),
      firstPaint: Math.round(audits['first-contentful-paint'].numericValue),
      kB: Math.round(audits['total-byte-weight'].numericValue / 1000), requests: audits['network-requests'].details.items.length,
      failed: Object.values(audits).filter(({score, scoreDisplayMode}) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative').map(({id, displayValue}) => `${id} ${displayValue ?? ''}`.trim()),
    };
  } finally {
    browser.kill();
  }
}
