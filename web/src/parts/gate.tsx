// A question of a run: what it is about, the change, and the answer, with comments on lines as its words.

import type {JSX} from 'preact';
import {useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';

import {Away, get, getText, post, Problem, query, runPath, told} from '../lib/api';
import {whoAnswered, type Answered} from '../lib/asked';
import {parseDiff} from '../lib/diff';
import {useDraft, type Draft} from '../lib/draft';
import {editedText} from '../lib/entries';
import {feedback, inOrder, keyOf, type Comment} from '../lib/feedback';
import {useSession} from '../lib/session';
import {plural} from '../lib/time';
import type {Log, Question, Run} from '../lib/types';
import {Act, Failure, Prose, Time} from './bits';
import {DiffView} from './diffview';
import {SendEvent} from './sendevent';

export function Gate({question, asked, first, branch, early, gone, done, close}: {
  question: Question;
  asked: number;  // in which entry of the log
  first: boolean;  // is it what a link to the run's question leads to?
  branch: string;
  early: string | undefined;  // the change, where it is there already
  gone: Answered | undefined;  // why it cannot be answered any more
  done: () => void; close: () => void;
}): JSX.Element {
  const session = useSession();
  const {run, id} = question;
  const [draft, change, clear] = useDraft(run, id, asked);
  const [files, setFiles] = useState(() => early === undefined ? undefined : parseDiff(early));
  const [late, setLate] = useState<Answered>();
  const [error, setError] = useState('');
  const [sending, setSending] = useState(false);
  const here = useRef<HTMLElement>(null);
  const answer = useId();
  const words = useRef<HTMLTextAreaElement>(null);
  const over = gone ?? late;
  const option = question.options.find((each) => each.name === draft.option);
  const wantsWords = question.words || (option !== undefined && option.feedback !== 'none');
  const [original, setOriginal] = useState<Record<string, string>>({});  // what an option edits, by its name
  const edited = option && (draft.edited[option.name] ?? original[option.name]);
  const comments = useMemo(() => inOrder(draft.comments, files?.map((file) => file.path) ?? []), [draft.comments, files]);
  const written = comments.filter((comment) => comment.text.trim());

  useEffect(() => {
    const off = new AbortController();
    if (branch && !files && !over) {
      getText(`${runPath(run)}/diff`, off.signal).then((text) => setFiles(parseDiff(text)), (failure) => {
        if (!off.signal.aborted) setError(`The change cannot be shown: ${told(failure)}`);
      });
    }
    return () => off.abort();
  }, [run, id, branch]);

  const edit = (name: string, text: string): void => change((before) => ({...before, edited: {...before.edited, [name]: text}}));
  // The text that the option edits is in the step that asked.
  useEffect(() => {
    if (!option?.edit || original[option.name] !== undefined) return;
    const {name} = option;
    get<Log>(`${runPath(run)}/log${query({after: asked - 1, limit: 1})}`).then(({entries}) => {
      const text = editedText(entries[0], id, name);
      if (text === undefined) setError('The text is not in the log any more; choose another answer.');
      else setOriginal((before) => ({...before, [name]: text}));
    }, (failure) => setError(told(failure)));
  }, [option?.name]);

  const set = useCallback((comment: Comment) => change((before) => ({
    ...before, comments: [...before.comments.filter((each) => keyOf(each) !== keyOf(comment)), comment],
  })), [change]);
  const remove = useCallback((comment: Comment) => change((before) => ({
    ...before, comments: before.comments.filter((each) => keyOf(each) !== keyOf(comment)),
  })), [change]);

  const missing = (): string => {
    if (over) return over.text;
    if (!question.words && !option) return 'Choose an answer';
    // Whether a question that asks for words needs any, the server knows.
    if (option?.feedback === 'required' && !feedback(comments, draft.words)) return 'This answer needs words: yours, or a comment on a line';
    if (option?.edit && edited === undefined) return 'The text is still loading';
    return '';
  };

  const send = async (): Promise<void> => {
    if (sending || session.lacks('answer')) return;
    const lack = missing();
    if (lack) {
      setError(lack);
      if (wantsWords) words.current?.focus();
      return;
    }
    setSending(true);
    setError('');
    const body: Record<string, string> = {question: id};
    if (option) body.option = option.name;
    if (wantsWords && feedback(comments, draft.words)) body.feedback = feedback(comments, draft.words);
    if (option?.edit && edited !== undefined) body.edited = edited;
    try {
      await post<Run>(`${runPath(run)}/answer`, body);
      clear();
      session.say(option ? `Answered: ${option.label || option.name}` : 'Answered');
      done();
    } catch (failure) {
      if (failure instanceof Problem && failure.status === 409) await learn(failure);
      else setError(failure instanceof Away ? 'The server does not answer. Your answer is kept here; send it again when it does.' : told(failure));
    }
    setSending(false);
  };

  // Somebody may have been faster.
  const learn = async (problem: Problem): Promise<void> => {
    try {
      const now = await get<{newest: number; questions: Question[]}>(runPath(run));
      if (now.questions.some((each) => each.id === id)) return setError(told(problem));
      const answered = await whoAnswered(run, now.newest, id, asked);
      setLate(answered.time ? answered : {...answered, text: told(problem)});
    } catch {
      setError(told(problem));
    }
  };

  // At once, not after the next frame: a key may follow what was typed or chosen just before.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent): void => {
      const inside = event.target instanceof Node && here.current?.contains(event.target) === true;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && inside) {
        event.preventDefault();
        void send();
        return;
      }
      const typing = event.target instanceof HTMLElement && event.target.matches('input:not([type=radio]), textarea, select');
      if (typing || event.ctrlKey || event.metaKey || event.altKey || over || document.querySelector('dialog[open]')) return;
      if (!inside && event.target !== document.body && !(event.target instanceof HTMLElement && event.target.id === 'main')) return;
      const nth = question.options[Number(event.key) - 1];
      if (nth) {
        change((before) => ({...before, option: nth.name}));
        here.current?.querySelectorAll<HTMLInputElement>('.options input')[Number(event.key) - 1]?.focus();
      } else if (event.key === 'f' && words.current) words.current.focus();
      else if (event.key === 'd') here.current?.querySelector<HTMLElement>('button.line[tabindex="0"], .file summary')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  });

  // What it asked about is not what is there now, so none of that is shown.
  if (over) return <Over question={question} over={over} held={here.current?.contains(document.activeElement) === true} draft={draft} written={written} close={() => { clear(); close(); }} />;
  // There is nothing to look at besides the question.
  const bare = !question.show && !files?.length && (files !== undefined || !branch || error !== '');
  const lost = written.length > 0 && !wantsWords && (option !== undefined);
  return (
    <section class="gate card" id={first ? 'gate' : undefined} ref={here} tabIndex={-1} aria-label={`Question: ${question.question}`}>
      <header>
        <h2>{question.question}</h2>
        <p class="muted"><code>{id}</code>{question.deadlines?.map((deadline) => (
          <span key={deadline.to.join()}>{' · '}goes to {deadline.to.join(', ')} by itself{deadline.time && <> at <Time at={deadline.time} /></>}{deadline.guarded && ', if its guard holds'}</span>
        ))} {!bare && <a class="jump" href={`#${answer}`}>To the answer</a>}</p>
      </header>
      <div class={`sides ${files?.length ? '' : bare ? 'bare' : 'narrow'}`}>
        {!bare && <div class="material">
          {question.show && <Prose text={question.show} under={2} />}
          {files && files.length > 0 && <><h3>What it has changed</h3><DiffView files={files} commenting={{comments, set, remove}} /></>}
        </div>}
        <form class="answer" id={answer} onSubmit={(submit) => { submit.preventDefault(); void send(); }}>
          {question.options.length > 0 && (
            <fieldset class="options">
              <legend>Your answer</legend>
              {question.options.map((each, nth) => (
                <label key={each.name} class={each.name === draft.option ? 'chosen' : ''}>
                  <input type="radio" name={`option ${id}`} value={each.name} checked={each.name === draft.option}
                    onChange={() => change((before) => ({...before, option: each.name}))} />
                  <span class="label">{each.label || each.name}</span>
                  <span class="muted name">{each.name}{each.feedback === 'required' && ' · needs words'}{each.edit && ' · you edit a text'}{each.name === question.default && ' · unless you say'}</span>
                  <kbd aria-hidden="true">{nth + 1}</kbd>
                </label>
              ))}
            </fieldset>
          )}
          {option?.edit && (
            <label class="field">The text
              <textarea class="edit" rows={14} value={edited ?? ''} disabled={edited === undefined}
                onInput={(input) => edit(option.name, input.currentTarget.value)} />
            </label>
          )}
          {wantsWords && (
            <label class="field">{question.words ? 'Your words' : `Your words${option?.feedback === 'optional' ? ', if you like' : ''}`}
              <textarea ref={words} rows={4} value={draft.words}
                onInput={(input) => { const {value} = input.currentTarget; change((before) => ({...before, words: value})); }} />
            </label>
          )}
          {written.length > 0 && (
            <div class="comments">
              <p>{plural(written.length, 'comment')} on lines {wantsWords ? `${written.length === 1 ? 'goes' : 'go'} with it:` : 'so far:'}</p>
              <ul>{written.map((comment) => <li key={keyOf(comment)}><code>{comment.path}:{comment.line}</code> {comment.text}</li>)}</ul>
            </div>
          )}
          {lost && <p class="failure" role="status">This answer takes no words, so your {plural(written.length, 'comment')} would not be sent.</p>}
          {error && <Failure error={error} />}
          <p class="buttons">
            <Act needs="answer" kind="primary big" act={() => void send()} why={sending ? 'It is being sent' : ''}>{option ? `Answer: ${option.label || option.name}` : 'Answer'}</Act>
          </p>
          {question.events?.length ? <p class="muted">Or send an event: {question.events.map((event) => <SendEvent key={event} run={run} event={event} />)}</p> : null}
          <p class="keys muted">{question.options.length > 0 && <><kbd>1</kbd>–<kbd>{question.options.length}</kbd> choose · </>}{files && files.length > 0 && <><kbd>d</kbd> the change · </>}{wantsWords && <><kbd>f</kbd> words · </>}<kbd>Ctrl</kbd>+<kbd>Enter</kbd> answer</p>
        </form>
      </div>
    </section>
  );
}

// One that cannot be answered any more: who has answered it, and what was written here and not sent.
function Over({question, over, held, draft, written, close}: {
  question: Question; over: Answered; held: boolean; draft: Draft; written: Comment[]; close: () => void;
}): JSX.Element {
  const there = useRef<HTMLElement>(null);
  // Whoever was writing there goes on from here.
  useLayoutEffect(() => { if (held) there.current?.focus(); }, []);
  const texts = [...written.map((comment) => `${comment.path}:${comment.line}: ${comment.text}`), draft.words, ...Object.values(draft.edited)].filter((text) => text.trim());
  return (
    <section class="gate over card" ref={there} tabIndex={-1} aria-label={`Not open any more: ${question.question}`}>
      <h2>{question.question}</h2>
      <div role="alert">
        <p><strong>{over.text}</strong>{over.time && <> <span class="muted"><Time at={over.time} /></span></>}</p>
        {texts.length > 0 && <p>What you wrote was not sent.</p>}
      </div>
      {texts.length > 0 && <details><summary>What you wrote</summary><pre tabIndex={0}>{texts.join('\n\n')}</pre></details>}
      <button type="button" onClick={close}>Close</button>
    </section>
  );
}
