/** Two servers on one database, each with a pool of its own: what one acknowledges the other one knows. */
import { openAppOn, type TestApp } from '../app.ts';
import { createDatabase } from './database.ts';

export interface Pair {
  one: TestApp;
  two: TestApp;
  /** By turns. */
  either: (index: number) => TestApp;
  close: () => Promise<void>;
}

export async function openPair(environment: Record<string, string> = {}): Promise<Pair> {
  const database = await createDatabase();
  const [one, two] = [await openAppOn(database, environment), await openAppOn(database, environment)];
  return {
    one,
    two,
    either: index => (index % 2 === 0 ? one : two),
    close: async () => {
      await two.close();
      await one.close();
      await database.drop();
    },
  };
}

/** A whole number that whoever runs the tests may set, such as the rounds of a race. */
export function asked(variable: string, otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}
