// A link with #token=… signs in: the token leaves the address before anything else happens.

import {render} from 'preact';

import {App} from './app';
import {token} from './lib/api';
import {followLinks} from './lib/router';

const begin = '#token=';

// The token of a link, where another one is kept: anybody can make such a link, so it replaces none by itself.
function offered(): string {
  if (!location.hash.startsWith(begin)) return '';
  const given = location.hash.slice(begin.length);
  history.replaceState(null, '', location.pathname + location.search);
  if (token.get()) return token.fits(given) && given !== token.get() ? given : '';
  token.set(given);
  return '';
}

const app = document.getElementById('app');
const show = (): void => { if (app) render(<App offered={offered()} />, app); };
window.addEventListener('hashchange', () => {
  if (!location.hash.startsWith(begin)) return;
  if (token.get()) show();
  else {
    offered();
    location.reload();
  }
});
followLinks();
app?.replaceChildren();
show();
