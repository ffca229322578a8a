// What models and strangers wrote, as a part of the page: Markdown and pictures of which nothing runs, and nothing
// is loaded from elsewhere.

import DOMPurify, {type Config} from 'dompurify';
import {Marked, type Tokens} from 'marked';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

// The address of a link that may be followed: of another page, in full.
function foreign(address: string): URL | undefined {
  try {
    const url = new URL(address);
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    // HTML is shown as it was written.
    html: ({text}: Tokens.HTML | Tokens.Tag) => escaped(text),
    image: ({href, text}: Tokens.Image) => `<span class="image">[image: ${escaped(text || 'without a description')} — ${escaped(href)}]</span>`,
    link({href, tokens}: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const url = foreign(href);
      if (!url) return `${inner} <span class="address">(${escaped(href)})</span>`;
      const shown = inner === escaped(href) ? '' : ` <span class="address">(${escaped(url.host || url.pathname)})</span>`;
      return `<a class="foreign" href="${escaped(url.href)}">${inner}</a>${shown}`;
    },
  },
});

const prose: Config & {RETURN_DOM_FRAGMENT: true} = {
  ALLOWED_TAGS: ['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre',
    's', 'span', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ALLOWED_ATTR: ['href', 'class', 'start', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};
const known_classes = /^(?:foreign|address|image|language-[\w+#-]+)$/;

const purify = DOMPurify(window);
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.namespaceURI !== 'http://www.w3.org/1999/xhtml') return;
  const kind = node.getAttribute('class');
  if (kind !== null && !known_classes.test(kind)) node.removeAttribute('class');
  if (node.localName === 'a') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
  }
  // The page has headings of its own above these.
  if (node.localName === 'pre') node.setAttribute('tabindex', '0');
});

// Its headings are within one of the page, which is of the level `under`: the levels follow each other without a gap.
export function markdown(text: string, under: number): DocumentFragment {
  const made = purify.sanitize(marked.parse(text) as string, prose);
  const within: number[] = [];
  for (const heading of made.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const level = Number(heading.localName.slice(1));
    while ((within.at(-1) ?? 0) >= level) within.pop();
    within.push(level);
    const nested = document.createElement(`h${Math.min(6, under + within.length)}`);
    if (within.length === 1) nested.className = 'outer';
    nested.append(...heading.childNodes);
    heading.replaceWith(nested);
  }
  return made;
}

// A picture that the server drew; its labels may be anybody's words. Nothing where it is no picture.
export function picture(text: string): SVGSVGElement | undefined {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const drawn = parsed.documentElement;
  if (drawn.localName !== 'svg' || parsed.querySelector('parsererror')) return undefined;
  const clean = purify.sanitize(drawn.outerHTML, {
    USE_PROFILES: {svg: true},
    FORBID_TAGS: ['title', 'style', 'image', 'a', 'foreignObject', 'animate', 'use', 'script', 'filter'],
    FORBID_ATTR: ['style', 'href', 'xlink:href'],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  return clean.querySelector('svg') ?? undefined;
}
