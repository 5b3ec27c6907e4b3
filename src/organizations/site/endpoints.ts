/** The settings of the installation (§1). */
import { listFeatureSets } from './feature-sets.ts';
import { showGeneralSettings, updateGeneralSettings } from './general-settings.ts';

import { showHealth } from './health.ts';

export const siteEndpoints = [showGeneralSettings, updateGeneralSettings, listFeatureSets, showHealth];
