/** What a command refuses, in one line for the terminal; the program then exits with 1. */
export class CommandError extends Error {}
