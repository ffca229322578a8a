// A diff, by files. Where comments are wanted, a click on a line, or Enter on its number, opens one.

import type {JSX} from 'preact';
import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

import type {FileDiff, Line} from '../lib/diff';
import {keyOf, type Comment} from '../lib/feedback';
import {count, plural} from '../lib/time';

export interface Commenting {
  comments: Comment[];
  // Puts it in the place of the one at that line; one without text is open, and says nothing yet.
  set(comment: Comment): void;
  remove(comment: Comment): void;
}

const short_file = 400;  // lines that are shown at first
const most_lines = 2000;  // files behind so many begin closed

export function DiffView({files, commenting}: {files: FileDiff[]; commenting?: Commenting}): JSX.Element {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  let lines = 0;
  return (
    <div class="diffs">
      <p class="muted">{plural(files.length, 'file')}, <Sum added={added} removed={removed} />
        {commenting && <>. A click on a line opens a comment<span class="keys">; so do <kbd>↑</kbd> <kbd>↓</kbd> and <kbd>Enter</kbd> on its number</span>.</>}</p>
      {files.map((file) => {
        const open = lines < most_lines;
        lines += length(file);
        return <File key={`${file.path} ${file.from ?? ''}`} file={file} open={open} {...commenting && {commenting}} />;
      })}
    </div>
  );
}

const length = (file: FileDiff): number => file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);

const Sum = ({added, removed}: {added: number; removed: number}): JSX.Element =>
  <><span class="added">+{count(added)}</span> <span class="removed">−{count(removed)}</span></>;

function File({file, open, commenting}: {file: FileDiff; open: boolean; commenting?: Commenting}): JSX.Element {
  const [isOpen, setOpen] = useState(open);
  const [all, setAll] = useState(false);
  const lines = length(file);
  const own = commenting?.comments.filter((comment) => comment.path === file.path) ?? [];
  const state = JSON.stringify(own);
  // The comments that are being written, by their keys; the others are folded to their text.
  const [writing, setWriting] = useState(() => own.filter((comment) => !comment.text.trim()).map(keyOf));
  const write = (key: string, on: boolean): void => setWriting((before) => [...before.filter((each) => each !== key), ...on ? [key] : []]);
  const there = useRef<HTMLDivElement>(null);

  const rows = useMemo(() => {
    if (!isOpen) return [];
    const made: JSX.Element[] = [];
    let left = all ? Infinity : short_file;
    for (const hunk of file.hunks) {
      if (left <= 0) break;
      made.push(<tr key={hunk.header} class="hunk"><td colSpan={3}>{hunk.header}</td></tr>);
      for (const line of hunk.lines) {
        if (left-- <= 0) break;
        const at = line.kind === '\\' ? undefined : {path: file.path, line: (line.kind === '-' ? line.before : line.after) ?? 0, removed: line.kind === '-'};
        const key = at ? keyOf(at) : `${hunk.header} ${made.length}`;
        const comment = at && own.find((each) => keyOf(each) === key);
        const begin = at && commenting && (() => {
          write(key, true);
          if (!comment) commenting.set({...at, quote: line.text, text: ''});
        });
        made.push(<Row key={key} line={line} label={at && `Comment on ${at.removed ? 'removed ' : ''}line ${at.line}: ${line.text}`} first={made.length === 1} {...begin && {begin}} />);
        if (comment && commenting) made.push(<Box key={`${key} comment`} comment={comment} commenting={commenting} writing={writing.includes(key)} write={(on) => write(key, on)} />);
      }
    }
    return made;
  }, [file, isOpen, all, state, writing.join('\n'), commenting === undefined]);

  const arrows = (key: KeyboardEvent): void => {
    if (!(key.target instanceof HTMLButtonElement) || !key.target.classList.contains('line')) return;
    const buttons = [...there.current?.querySelectorAll<HTMLButtonElement>('button.line') ?? []];
    const step = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20}[key.key];
    if (step === undefined) return;
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, buttons.indexOf(key.target) + step))];
    if (!next) return;
    key.preventDefault();
    key.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  };

  return (
    <details class="file" open={isOpen} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <span class="path">{file.from ? `${file.from} → ${file.path}` : file.path}</span>
        {file.change !== 'changed' && <span class="badge">{file.change}</span>}
        <Sum added={file.added} removed={file.removed} />
        {own.length > 0 && <span class="badge waiting">{plural(own.length, 'comment')}</span>}
      </summary>
      {file.notes.map((note) => <p key={note} class="muted note">{note}</p>)}
      {lines > 0 && (
        <div class="scroll" ref={there} onKeyDown={arrows} tabIndex={commenting ? undefined : 0} role="group" aria-label={`Changes of ${file.path}`}>
          <table class="diff"><tbody>{rows}</tbody></table>
        </div>
      )}
      {isOpen && !all && lines > short_file && <button type="button" class="quiet more" onClick={() => setAll(true)}>Show all {count(lines)} lines</button>}
    </details>
  );
}

const kinds = {'+': 'add', '-': 'del', ' ': 'same', '\\': 'says'};

function Row({line, label, first, begin}: {line: Line; label: string | undefined; first: boolean; begin?: () => void}): JSX.Element {
  const number = line.kind === '-' ? line.before : line.after;
  return (
    <tr class={`${kinds[line.kind]} ${begin ? 'can' : ''}`} onClick={begin && ((click) => { if (!getSelection()?.toString() || click.target instanceof HTMLButtonElement) begin(); })}>
      <td class="number">{begin && number !== undefined
        ? <button type="button" class="line" tabIndex={first ? 0 : -1} aria-label={label}>{number}</button>
        : number}</td>
      <td class="sign">{line.kind === '\\' ? '' : line.kind}</td>
      <td class="text">{line.text}</td>
    </tr>
  );
}

function Box({comment, commenting, writing, write}: {comment: Comment; commenting: Commenting; writing: boolean; write: (on: boolean) => void}): JSX.Element {
  const row = useRef<HTMLTableRowElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  // At once, not after the next frame: it may be typed right after the click.
  useLayoutEffect(() => {
    text.current?.focus();
    text.current?.setSelectionRange(comment.text.length, comment.text.length);
  }, [writing]);
  const where = `on ${comment.path}, ${comment.removed ? 'removed ' : ''}line ${comment.line}`;
  // From there the arrow keys lead to other lines.
  const leave = (removed: boolean): void => {
    row.current?.previousElementSibling?.querySelector<HTMLButtonElement>('button.line')?.focus();
    write(false);
    if (removed) commenting.remove(comment);
  };
  return (
    <tr class="comment" ref={row}>
      <td colSpan={3}>
        <div class="box">
          {writing
            ? <textarea ref={text} rows={2} value={comment.text} aria-label={`Comment ${where}`}
                onInput={(input) => commenting.set({...comment, text: input.currentTarget.value})}
                onKeyDown={(key) => { if (key.key === 'Escape') { key.stopPropagation(); leave(!comment.text.trim()); } }} />
            : <p class="said">{comment.text}</p>}
          <p class="buttons">
            {writing
              ? <button type="button" onClick={() => leave(!comment.text.trim())}>Done</button>
              : <button type="button" aria-label={`Edit the comment ${where}`} onClick={() => write(true)}>Edit</button>}
            <button type="button" class="quiet" aria-label={`Remove the comment ${where}`} onClick={() => leave(true)}>Remove</button>
          </p>
        </div>
      </td>
    </tr>
  );
}
