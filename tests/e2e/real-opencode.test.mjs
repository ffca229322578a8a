import {testRealCli} from './lib/real-cli.mjs';

testRealCli('opencode', {sessions: true});
