/** A refusal or a failure of the API, in its own words. Status 0: no answer came. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly errors: readonly Fault[];
  readonly requestId: string | null;
  /** Seconds to wait before asking again; null when the server did not say. */
  readonly retryAfter: number | null;

  constructor(status: number, errors: readonly Fault[], requestId: string | null, retryAfter: number | null) {
    super(errors[0]?.detail ?? errors[0]?.title ?? `status ${status}`);
    this.status = status;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

export interface Fault {
  status: string;
  title: string;
  detail?: string;
  source?: { pointer?: string; parameter?: string; header?: string };
}

export function failureOf(response: Response, body: unknown): ApiFailure {
  const errors = (body as { errors?: Fault[] } | undefined)?.errors;
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiFailure(
    response.status,
    Array.isArray(errors) ? errors : [],
    response.headers.get('x-request-id'),
    Number.isFinite(wait) ? wait : null,
  );
}

/**
 * The faults at the fields that they point to; those of no field under ''. Within a list it is the list that is meant, and
 * a member of an object is named with a dot.
 */
export function faultsByField(failure: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  if (!(failure instanceof ApiFailure)) return found;
  for (const { title, detail, source } of failure.errors) {
    const field = fieldAt(source?.pointer ?? '');
    found[field] = [found[field], detail ?? title].filter(Boolean).join(' ');
  }
  return found;
}

function fieldAt(pointer: string): string {
  const [, within = ''] = /^\/data\/(?:attributes|relationships)\/(.*)$/.exec(pointer) ?? [];
  return within
    .replace(/\/data(\/.*)?$/, '')
    .replace(/\/\d+(\/.*)?$/, '')
    .replaceAll('/', '.');
}
