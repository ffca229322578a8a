// A link with #token=… signs in: the token leaves the address before anything else happens.

import {render} from 'preact';

import {App} from './app';
import {token} from './lib/api';
import {followLinks} from './lib/router';

function takeToken(): void {
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  history.replaceState(null, '', location.pathname + location.search);
  token.set(decodeURIComponent(given).trim());
}

takeToken();
window.addEventListener('hashchange', () => {
  if (!location.hash.startsWith('#token=')) return;
  takeToken();
  location.reload();
});
followLinks();
const app = document.getElementById('app');
if (app) {
  app.replaceChildren();
  render(<App />, app);
}
