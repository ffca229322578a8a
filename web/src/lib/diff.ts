// A unified diff, as git prints it, taken apart.

export interface Line {
  kind: ' ' | '+' | '-' | '\\';  // "\\": what git says of the line before
  text: string;
  before?: number;  // the line's number in the file as it was
  after?: number;   // and as it is
}

export interface Hunk {
  header: string;
  lines: Line[];
}

export interface FileDiff {
  path: string;  // as it is called now, or was before it was deleted
  from?: string;  // what it was called, where it was renamed or copied
  change: 'changed' | 'added' | 'deleted' | 'renamed' | 'copied';
  notes: string[];  // what is not in lines: modes, binary files
  hunks: Hunk[];
  added: number;
  removed: number;
}

// "\"a/caf\\303\\251\"", as git quotes names; others are as they stand.
export function unquoted(name: string): string {
  if (!name.startsWith('"')) return name.replace(/\t$/, '');
  const known: Record<string, number> = {n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '"': 34, '\\': 92};
  const bytes: number[] = [];
  const inner = name.slice(1, name.lastIndexOf('"'));
  for (let i = 0; i < inner.length; ++i) {
    if (inner[i] !== '\\') {
      bytes.push(...new TextEncoder().encode(inner[i]));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(inner.slice(i + 1));
    bytes.push(octal ? parseInt(octal[0], 8) : known[inner[i + 1] ?? ''] ?? 63);
    i += octal ? 3 : 1;
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const side = (name: string): string => unquoted(name).replace(/^[ab]\//, '');

function pathOf(header: string): string {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*")$/.exec(header);
  if (quoted) return side(quoted[1] ?? '');
  // Both sides have the same name, unless it is a rename, which says so in lines of its own.
  const half = header.slice((header.length + 1) / 2);
  return header.length % 2 && header.slice(2, (header.length - 1) / 2) === half.slice(2) ? side(half) : side(header.split(' ').at(-1) ?? header);
}

export function parseDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  let file: FileDiff | undefined;
  let hunk: Hunk | undefined;
  let before = 0;
  let after = 0;
  let left = 0;   // lines of the hunk that are still to come, on either side
  let right = 0;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    if (hunk && file && (left > 0 || right > 0 || line.startsWith('\\')) && /^[ +\-\\]|^$/.test(line)) {
      const kind = (line[0] ?? ' ') as Line['kind'];
      const entry: Line = {kind, text: line.slice(1)};
      if (kind === ' ' || kind === '-') { entry.before = before++; --left; }
      if (kind === ' ' || kind === '+') { entry.after = after++; --right; }
      if (kind === '+') ++file.added;
      if (kind === '-') ++file.removed;
      hunk.lines.push(entry);
      continue;
    }
    if (line.startsWith('diff --git ')) {
      file = {path: pathOf(line.slice(11)), change: 'changed', notes: [], hunks: [], added: 0, removed: 0};
      hunk = undefined;
      left = right = 0;
      files.push(file);
      continue;
    }
    if (!file) continue;
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (range) {
      before = Number(range[1]);
      left = Number(range[2] ?? 1);
      after = Number(range[3]);
      right = Number(range[4] ?? 1);
      hunk = {header: line, lines: []};
      file.hunks.push(hunk);
      continue;
    }
    head(file, line);
  }
  return files;
}

function head(file: FileDiff, line: string): void {
  const rest = (start: string): string | undefined => line.startsWith(start) ? line.slice(start.length) : undefined;
  const old = rest('--- ');
  const now = rest('+++ ');
  const renamed = rest('rename from ') ?? rest('copy from ');
  const to = rest('rename to ') ?? rest('copy to ');
  if (old !== undefined) { if (old !== '/dev/null') file.path = side(old); }
  else if (now !== undefined) { if (now !== '/dev/null') file.path = side(now); }
  else if (renamed !== undefined) { file.from = unquoted(renamed); file.change = line.startsWith('rename') ? 'renamed' : 'copied'; }
  else if (to !== undefined) file.path = unquoted(to);
  else if (line.startsWith('new file mode')) file.change = 'added';
  else if (line.startsWith('deleted file mode')) file.change = 'deleted';
  else if (line && !/^(index|similarity|dissimilarity) /.test(line)) file.notes.push(line);
}
