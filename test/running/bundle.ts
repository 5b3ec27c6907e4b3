/** Builds the program before the tests, so that those which run it in a process of its own run what is there now. */
import { execFileSync } from 'node:child_process';

export default function bundle(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
