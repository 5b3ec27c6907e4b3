/** What run tasks say of runs. */
import { reportTaskResult } from './report.ts';
import { showTaskResult } from './show.ts';

export const taskResultEndpoints = [showTaskResult, reportTaskResult];
