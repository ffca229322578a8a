// Comments on lines of a diff, as the words that a run is sent.

export interface Comment {
  path: string;
  line: number;
  removed: boolean;  // the line is one that the change takes away, and its number that of before
  quote: string;
  text: string;
}

export const keyOf = (at: {path: string; line: number; removed: boolean}): string => `${at.removed ? '-' : '+'}${at.line}:${at.path}`;

const longest_quote = 200;

// "src/a.py:12: why twice?\n> call(call(x))", each with a blank line behind it, and then the words.
export function feedback(comments: Comment[], words: string): string {
  const parts = comments.filter((comment) => comment.text.trim()).map((comment) => {
    const quote = comment.quote.length > longest_quote ? `${comment.quote.slice(0, longest_quote)} …` : comment.quote;
    const where = `${comment.path}:${comment.line}${comment.removed ? ' (removed)' : ''}`;
    return `${where}: ${comment.text.trim()}\n> ${quote}`;
  });
  if (words.trim()) parts.push(words.trim());
  return parts.join('\n\n');
}

// In the order of the diff: by file, as it lists them, and by line.
export function inOrder(comments: Comment[], paths: string[]): Comment[] {
  const place = (comment: Comment): number => {
    const found = paths.indexOf(comment.path);
    return found < 0 ? paths.length : found;
  };
  return [...comments].sort((one, other) => place(one) - place(other) || one.line - other.line || Number(other.removed) - Number(one.removed));
}
