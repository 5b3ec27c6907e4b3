/** What the catalogue says of a refusal. */

/** `detail` may hold `{placeholders}`, filled from the values given with the refusal. */
export interface CatalogueEntry {
  status: number;
  title: string;
  detail?: string;
  /** When it is worth asking again, as the answer says. */
  retryAfter_s?: number;
}
