/** The settings of the installation (§1). */
import { showGeneralSettings, updateGeneralSettings } from './general-settings.ts';

export const siteEndpoints = [showGeneralSettings, updateGeneralSettings];
