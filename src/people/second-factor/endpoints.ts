/** The second factor (§1): one's own, and its end by a site administrator. */
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  showSecondFactor,
  turnSecondFactorOff,
} from './own.ts';
import { disableSecondFactor } from './turn-off.ts';

export const secondFactorEndpoints = [
  showSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnSecondFactorOff,
  disableSecondFactor,
];
