/**
 * Whether what many callers saw at once could have been seen if everything had happened at single moments, one after the
 * other: each request between its beginning and its answer. The histories are short, so every order is tried.
 */

export interface Step<Action> {
  action: Action;
  status: number;
  /** What the answer showed, where the model looks at it. */
  shown?: unknown;
  begun_ms: number;
  ended_ms: number;
}

export interface Model<State, Action> {
  initial: State;
  /** The states in which the record may be behind a request that was answered so; none, if it could not be answered so. */
  next: (state: State, step: Step<Action>) => readonly State[];
}

/** @returns an order that explains the history, or null where there is none */
export function explain<State, Action>(
  { initial, next }: Model<State, Action>,
  history: readonly Step<Action>[],
): readonly Step<Action>[] | null {
  // Where the same requests are left in the same state, the outcome is the same.
  const hopeless = new Set<string>();
  const search = (left: readonly Step<Action>[], state: State): Step<Action>[] | null => {
    if (left.length === 0) return [];
    const key = `${left.map(step => history.indexOf(step)).join()} ${JSON.stringify(state)}`;
    if (hopeless.has(key)) return null;
    // Whatever was answered before another began has happened before it.
    const soonest_ms = Math.min(...left.map(({ ended_ms }) => ended_ms));
    for (const step of left.filter(({ begun_ms }) => begun_ms <= soonest_ms)) {
      const rest = left.filter(other => other !== step);
      for (const after of next(state, step)) {
        const order = search(rest, after);
        if (order) return [step, ...order];
      }
    }
    hopeless.add(key);
    return null;
  };
  return search(history, initial);
}
