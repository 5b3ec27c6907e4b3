/** Everything that agents may ask, in the order in which they do. */
import { claimJob, exitAgent, registerAgent } from './agents.ts';
import { readArtifact, readConfiguration, writeArtifact } from './artifacts.ts';
import type { AnyCall } from './call.ts';
import { finishJob } from './finish.ts';
import { beatIngress, finishIngress, startIngress, writeIngress } from './ingress.ts';
import { appendLog, beatJob } from './log.ts';
import { startJob } from './start.ts';

export const agentCalls: readonly AnyCall[] = [
  registerAgent,
  claimJob,
  exitAgent,
  startJob,
  readConfiguration,
  readArtifact,
  appendLog,
  beatJob,
  writeArtifact,
  finishJob,
  startIngress,
  beatIngress,
  writeIngress,
  finishIngress,
];
