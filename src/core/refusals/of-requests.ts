/** Of any request, whatever it is about: what cannot be read, is not there, breaks a rule, or comes when the server is busy. */
import type { Refusal } from './refusal.ts';

export const requestRefusals = {
  'malformed-json': { status: 400, title: 'bad request', detail: 'The body is not valid JSON: {reason}' },
  'malformed-request': { status: 400, title: 'bad request', detail: '{reason}' },
  'invalid-parameter': { status: 400, title: 'invalid parameter', detail: '{reason}' },
  'invalid-include': {
    status: 400,
    title: 'invalid include parameter',
    detail: '"{value}" is not a valid include parameter here. Valid values: {valid}.',
  },
  'include-too-large': {
    status: 400,
    title: 'invalid include parameter',
    detail:
      'The include parameter asks for more than {most} here. Ask for a smaller page, or read the records by their links.',
  },
  unauthorized: { status: 401, title: 'unauthorized' },
  'not-found': { status: 404, title: 'not found' },
  'request-too-slow': {
    status: 408,
    title: 'request timeout',
    detail: 'The request did not arrive in time. Nothing was changed.',
  },
  'cursor-too-old': { status: 410, title: 'gone', detail: 'Changes so old are not kept. Read everything anew.' },
  'precondition-failed': {
    status: 412,
    title: 'precondition failed',
    detail: 'The record has changed since it was read. Read it again, and change what is there now.',
  },
  'precondition-unknown': {
    status: 412,
    title: 'precondition failed',
    detail: 'No record can be read at this address, so there is nothing that If-Match could name.',
  },
  'body-too-large': { status: 413, title: 'payload too large', detail: 'A body holds at most {limit} bytes.' },
  'media-type': {
    status: 415,
    title: 'invalid content type',
    detail: 'content-type must be application/vnd.api+json',
  },
  'invalid-attribute': { status: 422, title: 'invalid attribute', detail: '{reason}' },
  'invalid-relationship': { status: 422, title: 'invalid relationship', detail: '{reason}' },
  'invalid-document': { status: 422, title: 'unprocessable entity', detail: '{reason}' },
  'id-taken': { status: 422, title: 'invalid attribute', detail: 'Id has already been taken' },
  'invalid-id': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Id must be {prefix}- and 16 letters and digits',
  },
  'name-taken': { status: 422, title: 'invalid attribute', detail: 'Name has already been taken' },
  'key-taken': { status: 422, title: 'invalid attribute', detail: 'Key has already been taken' },
  'rate-limited': { status: 429, title: 'Too many requests', detail: "You have exceeded the API's rate limit." },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many of your requests are under way at once. Wait for one of them to end.',
    retryAfter_s: 1,
  },
  // Its run would err: while it begins an engine gives up at the first 503. After 429 it waits, thirty times.
  'engine-must-wait': {
    status: 429,
    title: 'Too many requests',
    detail: 'The server cannot answer the engine of a run at the moment. Ask again.',
    retryAfter_s: 4,
  },
  'header-too-large': { status: 431, title: 'request header fields too large' },
  internal: { status: 500, title: 'internal server error', detail: 'The failure is logged under this request id.' },
  'server-busy': {
    status: 503,
    title: 'service unavailable',
    detail: 'The server has more under way than it can hold. Nothing was changed; try again in a moment.',
    retryAfter_s: 1,
  },
  'record-busy': {
    status: 503,
    title: 'service unavailable',
    detail: 'Somebody else is changing the same record. Nothing was changed; try again in a moment.',
    retryAfter_s: 1,
  },
  'store-unavailable': {
    status: 503,
    title: 'service unavailable',
    detail:
      'The database does not answer. Try again in a moment. If you were changing something, check first whether it was changed.',
    retryAfter_s: 2,
  },
} as const satisfies Record<string, Refusal>;
