// A link with #token=… signs in: the token leaves the address before anything else happens.

import {render} from 'preact';

import {App} from './app';
import {token} from './lib/api';
import {followLinks} from './lib/router';

const begin = '#token=';

function takeToken(): void {
  if (!location.hash.startsWith(begin)) return;
  const given = location.hash.slice(begin.length);
  history.replaceState(null, '', location.pathname + location.search);
  token.set(given);
}

takeToken();
window.addEventListener('hashchange', () => {
  if (!location.hash.startsWith(begin)) return;
  takeToken();
  location.reload();
});
followLinks();
const app = document.getElementById('app');
if (app) {
  app.replaceChildren();
  render(<App />, app);
}
