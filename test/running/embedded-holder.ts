// A process of its own that holds an embedded PostgreSQL until it is killed, for the tests that kill it.
import { startEmbedded } from '../../src/core/store/embedded.ts';

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
const embedded = await startEmbedded({ dataDirectory: process.argv[2]!, log });
process.once('SIGTERM', () => void embedded.stop().then(() => process.exit(0)));
console.log('ready');
