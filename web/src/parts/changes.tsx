// What a run has changed: all of it, or a commit of it.

import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';

import {get, getText, query, runPath, told} from '../lib/api';
import {parseDiff, type FileDiff} from '../lib/diff';
import type {Commit} from '../lib/types';
import {Failure, Time} from './bits';
import {DiffView} from './diffview';

export function Changes({run, branch, version}: {run: string; branch: string; version: number}): JSX.Element {
  const [commits, setCommits] = useState<Commit[]>([]);
  const [chosen, setChosen] = useState('');
  const [files, setFiles] = useState<FileDiff[]>();
  const [error, setError] = useState('');
  useEffect(() => {
    if (!branch) return undefined;
    const over = new AbortController();
    get<{commits: Commit[]}>(`${runPath(run)}/commits`, over.signal).then((found) => setCommits(found.commits), (failure) => {
      if (!over.signal.aborted) setError(told(failure));
    });
    return () => over.abort();
  }, [run, branch, version]);
  useEffect(() => {
    if (!branch) return undefined;
    const over = new AbortController();
    getText(`${runPath(run)}/diff${query({commit: chosen})}`, over.signal).then((text) => {
      setFiles(parseDiff(text));
      setError('');
    }, (failure) => {
      if (!over.signal.aborted) setError(told(failure));
    });
    return () => over.abort();
  }, [run, branch, chosen, chosen ? 0 : version]);

  if (!branch) return <p class="muted">It has no branch, so it has changed nothing.</p>;
  return (
    <div class="changes">
      {commits.length > 0 && (
        <fieldset class="commits">
          <legend>Changes</legend>
          <label><input type="radio" name="commit" checked={!chosen} onChange={() => setChosen('')} /> All, also what is not committed</label>
          {commits.map((commit) => (
            <label key={commit.commit}>
              <input type="radio" name="commit" checked={chosen === commit.commit} onChange={() => setChosen(commit.commit)} />
              {' '}<code>{commit.commit.slice(0, 8)}</code> {commit.subject} <span class="muted"><Time at={commit.time} /></span>
            </label>
          ))}
        </fieldset>
      )}
      {error && <Failure error={error} />}
      {files && (files.length ? <DiffView files={files} /> : <p class="muted">Nothing is changed.</p>)}
    </div>
  );
}
