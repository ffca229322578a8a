import {testRealCli} from './lib/real-cli.mjs';

testRealCli('claude', {sessions: true});
testRealCli('claude', {sessions: true, sandbox: 'none'});
