import {testRealCli} from './lib/real-cli.mjs';

testRealCli('gemini', {sessions: false});
