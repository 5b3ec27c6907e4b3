/** How one refusal looks. `detail` may hold `{placeholders}`, filled from the values given with the refusal. */
export interface Refusal {
  status: number;
  title: string;
  detail?: string;
  /** When it is worth asking again, as the answer says. */
  retryAfter_s?: number;
}
