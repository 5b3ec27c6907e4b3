/** What the doctor says of one thing. */

export interface Diagnosis {
  name: string;
  /** `warning`: it works, and an operator should know; `problem`: it does not, or loses something. */
  verdict: 'ok' | 'warning' | 'problem' | 'skipped';
  /** What was found, in a sentence. */
  found: string;
  /** What to do about it. */
  advice?: string;
}

export const ok = (name: string, found: string): Diagnosis => ({ name, verdict: 'ok', found });
export const skipped = (name: string, found: string): Diagnosis => ({ name, verdict: 'skipped', found });
export const warning = (name: string, found: string, advice: string): Diagnosis => ({
  name,
  verdict: 'warning',
  found,
  advice,
});
export const problem = (name: string, found: string, advice: string): Diagnosis => ({
  name,
  verdict: 'problem',
  found,
  advice,
});
