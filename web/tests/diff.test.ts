import assert from 'node:assert/strict';
import {test} from 'node:test';

import {parseDiff, unquoted} from '../src/lib/diff';

test('lines know their numbers on both sides', () => {
  const [file] = parseDiff(`diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -10,4 +10,5 @@ def f():
 one
-two
+2
+--- two and a half
 three

@@ -30 +31 @@
-x
\\ No newline at end of file
+y
`);
  assert.equal(file?.path, 'src/a.py');
  assert.deepEqual([file?.added, file?.removed, file?.change], [3, 2, 'changed']);
  assert.deepEqual(file?.hunks[0]?.lines, [
    {kind: ' ', text: 'one', before: 10, after: 10},
    {kind: '-', text: 'two', before: 11},
    {kind: '+', text: '2', after: 11},
    {kind: '+', text: '--- two and a half', after: 12},
    {kind: ' ', text: 'three', before: 12, after: 13},
    {kind: ' ', text: '', before: 13, after: 14},
  ]);
  assert.deepEqual(file?.hunks[1]?.lines, [
    {kind: '-', text: 'x', before: 30},
    {kind: '\\', text: ' No newline at end of file'},
    {kind: '+', text: 'y', after: 31},
  ]);
});

test('files that are new, gone, renamed or binary are told as such', () => {
  const files = parseDiff(`diff --git a/new file.txt b/new file.txt
new file mode 100644
index 0..1
--- /dev/null
+++ b/new file.txt\t
@@ -0,0 +1 @@
+x
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/old name b/new name
similarity index 100%
rename from old name
rename to new name
diff --git a/a.png b/a.png
index 1..2 100644
Binary files a/a.png and b/a.png differ
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git "a/caf\\303\\251" "b/caf\\303\\251"
--- "a/caf\\303\\251"
+++ "b/caf\\303\\251"
@@ -1 +1 @@
-a
+b
`);
  assert.deepEqual(files.map(({path, from, change, notes}) => [path, from, change, notes]), [
    ['new file.txt', undefined, 'added', []],
    ['gone', undefined, 'deleted', []],
    ['new name', 'old name', 'renamed', []],
    ['a.png', undefined, 'changed', ['Binary files a/a.png and b/a.png differ']],
    ['run.sh', undefined, 'changed', ['old mode 100644', 'new mode 100755']],
    ['café', undefined, 'changed', []],
  ]);
});

test('a diff that breaks off, or is none, is read as far as it goes', () => {
  assert.deepEqual(parseDiff(''), []);
  assert.deepEqual(parseDiff('nonsense\n@@ -1 +1 @@\n'), []);
  assert.equal(parseDiff('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n')[0]?.hunks[0]?.lines.length, 1);
});

test('quoted names are read as git writes them', () => {
  assert.equal(unquoted('"a\\tb\\"c\\\\d"'), 'a\tb"c\\d');
  assert.equal(unquoted('plain name\t'), 'plain name');
  assert.equal(unquoted('"\\360\\237\\221\\244"'), '👤');
});
