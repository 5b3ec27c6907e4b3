/** What a command refuses, in one line for the terminal; the program then exits with its code, 1 unless it says otherwise. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
