/** Refusals of state and other content, and of the addresses at which it is sent and read. */
import type { Refusal } from './refusal.ts';

export const contentRefusals = {
  'address-not-signed': {
    status: 403,
    title: 'forbidden',
    detail: 'The address was changed or has expired. Read the record again for a fresh one.',
  },
  'address-ended': {
    status: 403,
    title: 'forbidden',
    detail: 'Whoever this address was given to may not use it any more.',
  },
  'state-not-locked': {
    status: 409,
    title: 'conflict',
    detail: 'The workspace is not locked and will only accept state uploads when locked by whoever uploads.',
  },
  'state-locked-by-other': {
    status: 409,
    title: 'conflict',
    detail: 'The workspace is locked by someone else and will only accept state from whoever locked it.',
  },
  'state-serial-conflict': {
    status: 409,
    title: 'conflict',
    detail: 'Serial {serial} is not newer than that of the current state, {current}, and the states differ.',
  },
  'state-lineage-conflict': {
    status: 409,
    title: 'conflict',
    detail: 'The lineage of the state differs from that of the current state: it belongs to another workspace.',
  },
  'upload-used': {
    status: 410,
    title: 'gone',
    detail: 'Nothing can be uploaded here any more: the version is {status}.',
  },
  'state-md5-mismatch': {
    status: 422,
    title: 'invalid attribute',
    detail: 'MD5 does not match the content, whose checksum is {md5}',
  },
  'state-not-json': { status: 422, title: 'invalid attribute', detail: 'State is not a JSON document: {reason}' },
  'state-unwanted': { status: 422, title: 'invalid attribute', detail: 'State cannot be taken: {reason}.' },
  'content-damaged': {
    status: 500,
    title: 'content unavailable',
    detail: 'The content is missing from the store, or damaged. No other version is affected.',
  },
  'content-store-unavailable': {
    status: 503,
    title: 'service unavailable',
    detail: 'Contents can be neither written nor read at the moment. Nothing was changed; try again in a moment.',
    retryAfter_s: 5,
  },
  'state-version-pending': {
    status: 503,
    title: 'service unavailable',
    detail:
      'Unable to unlock workspace. The latest state version is still pending; try again in a moment, or force-unlock once its state is known to be saved.',
  },
} as const satisfies Record<string, Refusal>;
