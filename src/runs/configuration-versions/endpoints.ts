/** Configuration versions: made, read, archived, and their content. */
import { archiveConfigurationVersion } from './archive.ts';
import { configurationBackingDataEndpoints } from './backing-data.ts';
import { configurationContent, uploadConfiguration } from './content.ts';
import { createConfigurationVersion } from './create.ts';
import { showIngressAttributes } from './ingress-attributes.ts';
import {
  downloadConfigurationVersion,
  downloadConfigurationVersionOfRun,
  listConfigurationVersions,
  showConfigurationVersion,
  showConfigurationVersionOfRun,
} from './read.ts';

export const configurationVersionEndpoints = [
  listConfigurationVersions,
  createConfigurationVersion,
  showConfigurationVersion,
  showConfigurationVersionOfRun,
  showIngressAttributes,
  downloadConfigurationVersion,
  downloadConfigurationVersionOfRun,
  archiveConfigurationVersion,
  ...configurationBackingDataEndpoints,
  uploadConfiguration,
  configurationContent,
];
