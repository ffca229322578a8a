import {testRealCli} from './lib/real-cli.mjs';

testRealCli('codex', {sessions: true});
