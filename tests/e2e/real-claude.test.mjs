import {testRealCli} from './lib/real-cli.mjs';

testRealCli('claude', {sessions: true});
