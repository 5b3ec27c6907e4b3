/** Tries something that may be refused, and shows the refusal beside what was tried. */
import { type ReactNode, useState } from 'react';
import { cache } from '../api/cache.ts';
import { isUnknown, Refusal } from './loaded.tsx';

type Attempt = (work: () => unknown) => Promise<boolean>;

/** The notice to show, the function to try with (it says whether it worked), and whether something is under way. */
export function useFault(): [ReactNode, Attempt, boolean, unknown] {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt: Attempt = async work => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      return true;
    } catch (caught) {
      setFailure(caught);
      if (isUnknown(caught)) void cache.invalidateQueries();
      return false;
    } finally {
      setBusy(false);
    }
  };
  const notice = failure ? <Refusal failure={failure} /> : null;
  return [notice, attempt, isBusy, failure];
}
